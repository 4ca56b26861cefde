"""API descriptions → verified tool lists with links.

``build_catalogue`` makes a catalogue, ``save_catalogue`` and ``load_catalogue`` keep it, ``sample`` gives the tools of
a session. See docs/catalogue.md.
"""

from api_catalog.binding import Request, rebuild
from api_catalog.build import CATALOGUE_VERSION, CatalogueResult, build_catalogue
from api_catalog.choose import sample
from api_catalog.imports import ImportReport, import_paths
from api_catalog.look import catalogue_stats, export_openai, find, stats_page
from api_catalog.storage import Catalogue, load_catalogue, save_catalogue
from api_catalog.verify import Verification, verify_catalogue

__all__ = [
    "CATALOGUE_VERSION",
    "Catalogue",
    "CatalogueResult",
    "ImportReport",
    "Request",
    "Verification",
    "build_catalogue",
    "catalogue_stats",
    "export_openai",
    "find",
    "import_paths",
    "load_catalogue",
    "rebuild",
    "sample",
    "save_catalogue",
    "stats_page",
    "verify_catalogue",
]
