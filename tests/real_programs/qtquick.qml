// SPDX-License-Identifier: MIT
// Every wrap mode of Qt Quick with both filters: eight columns, in cells of 64 pixels that show two textures' widths; below
// them ordinary items: text, an image that is scaled, a tiled one and a border image. After sixty frames the picture is
// written, and the program ends.
import QtQuick
import QtQuick.Window

Window {
    id: window
    width: 512
    height: 256
    visible: true
    color: "#202020"
    property int frames: 0
    readonly property string folder: Qt.application.arguments[Qt.application.arguments.length - 1]

    Item {
        id: all
        anchors.fill: parent

        Rectangle {
            anchors.fill: parent
            color: window.color
        }
        Image {
            id: image
            source: "file://" + window.folder + "/texture.png"
            smooth: false
            x: 0
            y: 96
        }
        Repeater {
            model: 8
            ShaderEffect {
                x: 64 * index
                y: 0
                width: 64
                height: 64
                blending: false
                fragmentShader: "file://" + window.folder + "/qtquick.frag.qsb"
                property var source: ShaderEffectSource {
                    sourceItem: image
                    smooth: index >= 4
                    wrapMode: [ShaderEffectSource.ClampToEdge, ShaderEffectSource.RepeatHorizontally,
                        ShaderEffectSource.RepeatVertically, ShaderEffectSource.Repeat][index % 4]
                }
            }
        }
        Text {
            x: 32
            y: 80
            color: "white"
            font.pixelSize: 24
            text: "Clampler, Qt Quick"
        }
        Image {
            x: 0
            y: 128
            width: 64
            height: 64
            source: image.source
        }
        Image {
            x: 96
            y: 128
            width: 96
            height: 96
            fillMode: Image.Tile
            source: image.source
        }
        BorderImage {
            x: 224
            y: 128
            width: 96
            height: 96
            smooth: false
            border { left: 2; right: 2; top: 2; bottom: 2 }
            source: image.source
        }
    }
    FrameAnimation {
        running: true
        onTriggered: {
            window.frames++
            if (window.frames == 60) {
                running = false
                all.grabToImage(function (result) {
                    result.saveToFile(window.folder + "/result.png")
                    console.log("frames: 60")
                    Qt.quit()
                })
            }
        }
    }
}
