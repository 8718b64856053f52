"""Images stay in their files, and names cannot lead out of their folder."""

import struct
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from evenrank.formats.images import ImageFiles, inside, read_image


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three images of 3 × 2 pixels, red 0, 10 and 20; a secret beside."""
    made = tmp_path / "photos"
    (made / "sub").mkdir(parents=True)
    for red, name in ((0, "a.png"), (10, "b.png"), (20, "sub/c.png")):
        Image.new("RGB", (3, 2), (red, 1, 2)).save(made / name)
    Image.new("RGB", (3, 2)).save(tmp_path / "secret.png")
    return made


@pytest.mark.parametrize("name", ["a.png", "sub/c.png", "./sub/./c.png", "sub//c.png", "not there.png", "a..b.png"])
def test_names_inside_are_joined(folder: Path, name: str) -> None:
    assert inside(folder, name) == folder / name


@pytest.mark.parametrize(
    "name",
    [
        *("", ".", "..", "../secret.png", "sub/../../secret.png", "sub/../a.png", "/etc/passwd", "//host/share"),
        *("C:\\a.png", "..\\secret.png", "sub\\..\\..\\secret.png", "\\a.png", "a\0.png"),
    ],
)
def test_names_that_lead_out_are_refused(folder: Path, name: str) -> None:
    with pytest.raises(ValueError, match="photos: names a file outside of itself: "):
        inside(folder, name)


def test_links_that_lead_out_are_refused_and_links_inside_are_not(folder: Path) -> None:
    (folder / "out.png").symlink_to(folder.parent / "secret.png")
    (folder / "up").symlink_to(folder.parent)
    (folder / "loop").symlink_to(folder / "loop")
    (folder / "in.png").symlink_to(folder / "a.png")
    for name in ("out.png", "up/secret.png"):
        with pytest.raises(ValueError, match="names a file outside of itself"):
            inside(folder, name)
    assert inside(folder, "in.png").exists()
    with pytest.raises(ValueError, match="cannot be read as an image"):
        read_image(inside(folder, "loop"))


def test_a_folder_that_is_a_link_itself_is_fine(folder: Path) -> None:
    (folder.parent / "link").symlink_to(folder)
    assert inside(folder.parent / "link", "a.png").exists()


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "RGBA", "CMYK", "I;16"])
def test_any_kind_of_image_is_read_as_colours_or_as_grey(tmp_path: Path, mode: str) -> None:
    path = tmp_path / "a.tif"
    Image.new(mode, (3, 2)).save(path)
    colours, grey = read_image(path), read_image(path, "L")
    assert (colours.shape, colours.dtype) == ((2, 3, 3), np.uint8)
    assert (grey.shape, grey.dtype) == ((2, 3), np.uint8)


def test_a_palette_with_transparency_is_read_though_pillow_warns(tmp_path: Path) -> None:
    image = Image.new("P", (3, 2))
    image.putpalette([7, 8, 9] * 256)
    image.save(tmp_path / "a.png", transparency=bytes([0, 128, 255]))
    assert read_image(tmp_path / "a.png")[0, 0].tolist() == [7, 8, 9]


def png(width: int, height: int) -> bytes:
    """Return a PNG file that declares a size and holds one byte."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0")) + chunk(b"IEND", b"")


@pytest.mark.parametrize("side", [10_001, 30_000, 2_000_000_000])
def test_a_huge_declared_size_is_refused(tmp_path: Path, side: int) -> None:
    (tmp_path / "a.png").write_bytes(png(side, side))
    with pytest.raises(ValueError, match=r"^[^\n]*a\.png: cannot be read as an image: [^\n]*(pixels|size)[^\n]*$"):
        read_image(tmp_path / "a.png")


@pytest.mark.parametrize("content", [b"", b"no image", png(100, 100), png(3, 2)[:40]])
def test_a_damaged_image_is_refused_in_one_line(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.png").write_bytes(content)
    with pytest.raises(ValueError, match=r"^[^\n]*a\.png: cannot be read as an image: [^\n]+$"):
        read_image(tmp_path / "a.png")


def test_an_absent_image_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"a\.png: no such file$"):
        read_image(tmp_path / "a.png")


def test_without_pillow_it_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['PIL'] = None\n"
        "from pathlib import Path; from evenrank.formats.images import read_image\n"
        "try: read_image(Path('a.png'))\n"
        "except ValueError as error: print(error)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "a.png: images need Pillow: pip install 'evenrank[files]'\n"


def test_rows_are_decoded_and_selections_are_not(folder: Path) -> None:
    files = ImageFiles(folder, ["sub/c.png", "a.png", "b.png", "absent.png"])
    assert len(files) == 4
    assert files[0][0, 0].tolist() == [20, 1, 2]
    assert files[np.int64(2)][0, 0, 0] == 10
    assert files[-3].shape == (2, 3, 3)
    assert [image[0, 0, 0] for image in files[:3]] == [20, 0, 10]
    assert files[np.array([3, 1])].names.tolist() == ["absent.png", "a.png"]
    assert files[np.array([False, True, False, False])].names.tolist() == ["a.png"]
    assert ImageFiles(folder, ["a.png"], "L")[:1][0].shape == (2, 3)
    assert repr(files) == f"ImageFiles(4 in {folder})"
    with pytest.raises(IndexError):
        files[4]


def test_a_name_that_leads_out_is_refused_when_opened(folder: Path) -> None:
    files = ImageFiles(folder, ["a.png", "../secret.png"])
    assert files[0].shape == (2, 3, 3)
    with pytest.raises(ValueError, match="names a file outside of itself"):
        files[1]
