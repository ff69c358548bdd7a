"""XML tree of a small file from anywhere; as data it may declare nothing and load nothing.

A document type without content, which the peers write, is fine. Entities of its own, an outer
definition, an endless depth, an enormous size or very many elements are refused.
"""

import re
from dataclasses import dataclass, field
from xml.parsers import expat

_DEEPEST = 16
_MOST_ELEMENTS = 100_000
_ENCODING = re.compile(rb"""<\?xml[^>]{1,100}?\sencoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']""")
_KNOWN_ENCODINGS = ("utf-8", "utf-16", "iso-8859-1", "us-ascii")
_NO_ENCODINGS = ("idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined")
"""Codecs of Python that are no encodings of files, and take long."""
LARGEST_BYTES = 4 << 20
"""All settings of a board are 70 kB."""


class XmlError(ValueError):
    """Why a file is not read, as a phrase; `line` is where."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"line {line}: {what}")
        self.line = line
        self.what = what


@dataclass(slots=True)
class XmlElement:
    """An element. `text` is what stands directly in it."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list["XmlElement"] = field(default_factory=list)
    text: str = ""

    def all(self, tag: str) -> list["XmlElement"]:
        """The children with this tag."""
        return [child for child in self.children if child.tag == tag]

    def one(self, tag: str) -> "XmlElement | None":
        """The first child with this tag."""
        return next(iter(self.all(tag)), None)


def parse_tree(data: bytes | str) -> XmlElement:
    """The root element; raise XmlError. A text is taken as it is, whatever encoding it names."""
    if len(data) > LARGEST_BYTES:
        raise XmlError(1, f"it is larger than {LARGEST_BYTES >> 20} MB")
    if isinstance(data, bytes):
        data = _decoded(data)
    parser = expat.ParserCreate()
    builder = _Builder(parser)
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        what = f"the XML ends or breaks here: this is not well-formed XML ({reason})"
        raise XmlError(error.lineno, what) from None
    except XmlError:
        raise
    except (LookupError, ValueError) as error:
        raise XmlError(1, f"its encoding cannot be read ({error})") from None
    return builder.top.children[0]


def _decoded(data: bytes) -> bytes | str:
    """What the parser takes: it knows few encodings, and Python many."""
    declared = _ENCODING.match(data)
    encoding = declared[1].decode() if declared else ""
    if not encoding or encoding.lower() in _KNOWN_ENCODINGS:
        return data
    if encoding.lower().replace("-", "_") in _NO_ENCODINGS:
        raise XmlError(1, f"its encoding is not known ({encoding})")
    try:
        return data.decode(encoding)
    except LookupError:
        raise XmlError(1, f"its encoding is not known ({encoding})") from None
    except ValueError as error:
        raise XmlError(1, f"it is not written in {encoding}, as it says ({error})") from None


class _Builder:
    """Takes what the parser finds."""

    def __init__(self, parser: expat.XMLParserType) -> None:
        self.top = XmlElement("", {}, 1)
        self._path = [self.top]
        self._texts: list[list[str]] = [[]]
        self._left = _MOST_ELEMENTS
        self._parser = parser
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._on_doctype
        parser.EntityDeclHandler = self._on_entity
        parser.StartElementHandler = self._on_start
        parser.EndElementHandler = self._on_end
        parser.CharacterDataHandler = self._on_text

    def _on_doctype(
        self, _name: str, system: str | None, public: str | None, has_content: bool
    ) -> None:
        if system or public or has_content:
            raise self._error("it declares a document type of its own")

    def _on_entity(self, *_: object) -> None:
        raise self._error("it declares entities")

    def _on_start(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self._path) > _DEEPEST:
            raise self._error("it is nested too deeply")
        self._left -= 1
        if self._left < 0:
            raise self._error(f"it has more than {_MOST_ELEMENTS:,} elements")
        node = XmlElement(tag, attributes, self._parser.CurrentLineNumber)
        self._path[-1].children.append(node)
        self._path.append(node)
        self._texts.append([])

    def _on_end(self, _tag: str) -> None:
        self._path.pop().text = "".join(self._texts.pop())

    def _on_text(self, text: str) -> None:
        self._texts[-1].append(text)

    def _error(self, what: str) -> XmlError:
        return XmlError(self._parser.CurrentLineNumber, what)
