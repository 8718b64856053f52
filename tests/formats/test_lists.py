from pathlib import Path

import pytest

from evenrank.formats.lists import read_columns, read_lines


@pytest.fixture
def listing(tmp_path: Path) -> Path:
    return tmp_path / "list.txt"


def test_lines_lose_a_byte_order_mark_and_any_line_end(listing: Path) -> None:
    listing.write_bytes("\ufeffsky\r\n\r\nwater  \nZürich\x0b\x1c\u2028x\n\n\n".encode())
    assert read_lines(listing) == ["sky", "", "water", "Zürich\x0b\x1c\u2028x"]


def test_columns_are_separated_by_any_white_space(listing: Path) -> None:
    listing.write_text("a.jpg 1\nb.jpg\t 0 \n")
    assert read_columns(listing, 2) == [("a.jpg", "1"), ("b.jpg", "0")]


@pytest.mark.parametrize("line", ["b.jpg", "b.jpg 0 1", ""])
def test_a_line_with_another_number_of_columns_is_refused_by_its_number(listing: Path, line: str) -> None:
    listing.write_text(f"a.jpg 1\n{line}\nc.jpg 1\n")
    with pytest.raises(ValueError, match=r"list\.txt: line 2 must have 2 columns; got [031]$"):
        read_columns(listing, 2)


def test_bytes_that_are_not_text_are_refused(listing: Path) -> None:
    listing.write_bytes(b"good\nb\xff\n")
    with pytest.raises(ValueError, match=r"list\.txt: must be UTF-8 text; byte 6 is not$"):
        read_lines(listing)


@pytest.mark.parametrize("content", [b"", b"\n \r\n", b"\xef\xbb\xbf\n"])
def test_an_empty_file_is_refused(listing: Path, content: bytes) -> None:
    listing.write_bytes(content)
    with pytest.raises(ValueError, match=r"list\.txt: is empty$"):
        read_lines(listing)


def test_what_is_not_a_file_is_refused(tmp_path: Path, listing: Path) -> None:
    with pytest.raises(ValueError, match=r"list\.txt: no such file$"):
        read_lines(listing)
    with pytest.raises(ValueError, match=r"is a folder, not a file$"):
        read_lines(tmp_path)
