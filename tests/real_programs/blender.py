# SPDX-License-Identifier: MIT
# For Blender: images with every extension and both interpolations on planes that EEVEE renders, in cells of 64 pixels
# that show two textures' widths; the window shows the usual interface meanwhile. The picture is written to $PICTURE.
import os

import bpy

CELL = 64
TEXELS = 8
EXTENSIONS = ("REPEAT", "EXTEND", "CLIP", "MIRROR")
INTERPOLATIONS = ("Closest", "Linear")


def image():
    made = bpy.data.images.new("checks", TEXELS, TEXELS)
    made.colorspace_settings.name = "Non-Color"
    texels = []
    for y in range(TEXELS):
        for x in range(TEXELS):
            texels += [(30 + 28 * x) / 255, (30 + 28 * y) / 255, (220 if (x ^ y) & 1 else 60) / 255, 1]
    made.pixels = texels
    return made


def material(picture, extension, interpolation):
    made = bpy.data.materials.new(extension + interpolation)
    made.use_nodes = True
    nodes, links = made.node_tree.nodes, made.node_tree.links
    nodes.clear()
    texture = nodes.new("ShaderNodeTexImage")
    texture.image = picture
    texture.extension = extension
    texture.interpolation = interpolation
    emission = nodes.new("ShaderNodeEmission")
    output = nodes.new("ShaderNodeOutputMaterial")
    links.new(texture.outputs["Color"], emission.inputs["Color"])
    links.new(emission.outputs["Emission"], output.inputs["Surface"])
    return made


def cell(column, row, look):
    mesh = bpy.data.meshes.new("cell")
    corners = [(column + x, -row - y, 0) for x, y in ((0, 1), (1, 1), (1, 0), (0, 0))]
    mesh.from_pydata(corners, [], [(0, 1, 2, 3)])
    coordinates = mesh.uv_layers.new()
    for i, place in enumerate(((-0.5, -0.5), (1.5, -0.5), (1.5, 1.5), (-0.5, 1.5))):
        coordinates.data[i].uv = place
    mesh.materials.append(look)
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("cell", mesh))


def draw():
    columns, rows = len(EXTENSIONS), len(INTERPOLATIONS)
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)
    picture = image()
    for row, interpolation in enumerate(INTERPOLATIONS):
        for column, extension in enumerate(EXTENSIONS):
            cell(column, row, material(picture, extension, interpolation))
    camera = bpy.data.cameras.new("camera")
    camera.type = "ORTHO"
    camera.ortho_scale = max(columns, rows)
    place = bpy.data.objects.new("camera", camera)
    place.location = (columns / 2, -rows / 2, 5)
    scene = bpy.context.scene
    scene.collection.objects.link(place)
    scene.camera = place
    scene.render.engine = "BLENDER_EEVEE"
    scene.render.resolution_x = columns * CELL
    scene.render.resolution_y = rows * CELL
    scene.render.filter_size = 0
    scene.render.dither_intensity = 0
    scene.render.image_settings.file_format = "PNG"
    scene.render.filepath = os.environ["PICTURE"]
    scene.eevee.taa_render_samples = 1
    scene.view_settings.view_transform = "Raw"
    bpy.ops.render.render(write_still=True)
    print("frames: 1", flush=True)
    bpy.ops.wm.quit_blender()


bpy.app.timers.register(draw, first_interval=3)
