"""Finds the messages of templates for Babel, which reads Python alone; casino/locale/babel.cfg."""

from collections.abc import Iterable, Mapping
from io import BytesIO
from typing import Any, BinaryIO

from babel.messages.extract import extract_python
from django.utils.translation.template import templatize


def extract(
    file: BinaryIO, keywords: Mapping[str, Any], comment_tags: Any, options: Any
) -> Iterable[Any]:
    """Return the messages of a template: Django writes them as calls, and Babel reads those."""
    calls = templatize(file.read().decode())
    return extract_python(BytesIO(calls.encode()), keywords, comment_tags, options)
