"""Label Studio's projects: find one by its title, or open it with a form that fits."""

from __future__ import annotations

from wildtool.annotation.backend import Project
from wildtool.annotation.form.interface import InterfaceSpec
from wildtool.annotation.label_studio.connection import Connection
from wildtool.annotation.label_studio.guide import instructions
from wildtool.annotation.label_studio.interface import LabelStudioInterface, build_interface, read_interface
from wildtool.schemas.base import JsonObject
from wildtool.schemas.errors import InputError, ServiceError


def find_project(connection: Connection, title: str) -> JsonObject | None:
    """Return the oldest project of exactly this title, or None."""
    page = 1
    found: list[JsonObject] = []
    while True:
        answer = connection.request(
            "GET", "/api/projects", params={"title": title, "page": page, "page_size": 100}, missing_ok=True
        )
        results = [] if answer is None else answer["results"]
        found += [project for project in results if project["title"] == title]
        if len(results) < 100:
            break
        page += 1
    return min(found, key=lambda project: int(project["id"])) if found else None


def as_project(connection: Connection, there: JsonObject) -> Project:
    """Read a project as the server lists it."""
    interface = read_interface(there.get("label_config") or "")
    return _project(connection, int(there["id"]), there["title"], interface, int(there.get("maximum_annotations") or 1))


def open_project(
    connection: Connection, title: str, spec: InterfaceSpec, *, people: int, guide_url: str | None
) -> Project:
    """Open the project of this title: make it, or grow its interface until ``spec`` fits.

    ``people`` counts for a project that is made. Changing it later would change tasks that are there.
    """
    if not 3 <= len(title) <= 50:
        raise InputError(f"Label Studio refuses the project title {title!r}", "give a title of 3 to 50 characters")
    settings: JsonObject = {
        "description": f"wildtool: {'adjudication' if spec.purpose == 'adjudicate' else 'labelling'}",
        "expert_instruction": instructions(guide_url),
        # A button shows them. On its own the page would show them over a blurred form, which takes half a minute
        # without a graphics card.
        "show_instruction": False,
        "show_skip_button": True,
        "show_collab_predictions": True,
        "enable_empty_annotation": False,
        "sampling": "Sequential sampling",  # tasks come in the order of import: most doubtful first
    }
    there = find_project(connection, title)
    if there is None:
        interface = build_interface(spec)
        # A retry could make a second project of this title; then the oldest counts, and the other one stays empty.
        once = {"maximum_annotations": people, "overlap_cohort_percentage": 100}
        made = connection.post("/api/projects", {"title": title, "label_config": interface.xml, **settings, **once})
        return _project(connection, int(made["id"]), title, interface, people)
    project = as_project(connection, there)
    if project.interface is None and int(there.get("task_number") or 0) > 0:
        raise ServiceError(
            f"wildtool did not generate the labelling interface of project {title!r}",
            "push to another project with --project, or restore its labelling interface",
        )
    if project.interface is not None:
        before = project.interface.spec
        if before.purpose != spec.purpose:
            raise InputError(f"project {title!r} has another purpose", "choose another title with --project")
        if before.covers(spec):
            return project
        spec = before.joined(spec)
    interface = build_interface(spec)
    connection.patch(f"/api/projects/{project.id}", {"label_config": interface.xml, **settings})
    return project.model_copy(update={"interface": interface})


def _project(
    connection: Connection, id: int, title: str, interface: LabelStudioInterface | None, people: int
) -> Project:
    return Project(id=id, title=title, url=f"{connection.url}/projects/{id}/data", interface=interface, people=people)
