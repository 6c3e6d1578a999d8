# SPDX-License-Identifier: MIT
# Every wrap mode of Godot's canvas with three filters, in several formats: nine columns of five formats, in cells of 64
# pixels that show two textures' widths, a row more every five frames; beside them a lit cube in 3D. After sixty frames
# the picture is written, and the program ends.
extends Node2D

const CELL = 64
const TEXELS = 8
const FRAMES = 60
const WRAPS = [TEXTURE_REPEAT_ENABLED, TEXTURE_REPEAT_MIRROR, TEXTURE_REPEAT_DISABLED]
const FILTERS = [TEXTURE_FILTER_NEAREST, TEXTURE_FILTER_LINEAR, TEXTURE_FILTER_LINEAR_WITH_MIPMAPS]
const FORMATS = [Image.FORMAT_RGBA8, Image.FORMAT_L8, Image.FORMAT_LA8, Image.FORMAT_RGB565, Image.FORMAT_RGBAH]

var frame = 0


class Cell:
    extends Node2D
    var texture

    func _draw():
        var corners = PackedVector2Array([Vector2(0, 0), Vector2(CELL, 0), Vector2(CELL, CELL), Vector2(0, CELL)])
        var places = PackedVector2Array([Vector2(-0.5, -0.5), Vector2(1.5, -0.5), Vector2(1.5, 1.5), Vector2(-0.5, 1.5)])
        draw_colored_polygon(corners, Color.WHITE, places, texture)


func texture_of(format):
    var image = Image.create(TEXELS, TEXELS, false, Image.FORMAT_RGBA8)
    for y in TEXELS:
        for x in TEXELS:
            image.set_pixel(x, y, Color8(30 + 28 * x, 30 + 28 * y, 220 if (x ^ y) & 1 else 60))
    image.convert(format)
    image.generate_mipmaps()
    return ImageTexture.create_from_image(image)


func add_row(row):
    var texture = texture_of(FORMATS[row])
    for column in WRAPS.size() * FILTERS.size():
        var cell = Cell.new()
        cell.texture = texture
        cell.position = Vector2(column * CELL, row * CELL)
        cell.texture_repeat = WRAPS[column % WRAPS.size()]
        cell.texture_filter = FILTERS[column / WRAPS.size()]
        add_child(cell)


func add_world():
    var container = SubViewportContainer.new()
    container.position = Vector2(576, 0)
    container.texture_filter = TEXTURE_FILTER_NEAREST
    var viewport = SubViewport.new()
    viewport.size = Vector2i(320, 320)
    viewport.own_world_3d = true
    container.add_child(viewport)
    var cube = MeshInstance3D.new()
    cube.mesh = BoxMesh.new()
    var material = StandardMaterial3D.new()
    material.albedo_texture = texture_of(Image.FORMAT_RGBA8)
    material.uv1_scale = Vector3(3, 3, 3)
    cube.material_override = material
    cube.rotation = Vector3(0.6, 0.7, 0)
    viewport.add_child(cube)
    var light = DirectionalLight3D.new()
    light.rotation = Vector3(-0.8, 0.4, 0)
    viewport.add_child(light)
    var camera = Camera3D.new()
    camera.position = Vector3(0, 0, 2)
    viewport.add_child(camera)
    add_child(container)


func _ready():
    add_world()


func _process(_delta):
    if frame % 5 == 0 and frame / 5 < FORMATS.size():
        add_row(frame / 5)
    frame += 1
    if frame == FRAMES:
        await RenderingServer.frame_post_draw
        get_viewport().get_texture().get_image().save_png(OS.get_environment("PICTURE"))
        print("frames: ", frame)
        get_tree().quit()
