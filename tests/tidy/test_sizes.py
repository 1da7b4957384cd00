"""Nothing grows until nobody can read it."""

import ast
from statistics import median

from tests.tidy import source

MODULE_LINES_MAX = 400
FUNCTION_LINES_MAX = 40
PARAMETERS_MAX = 6
TASK_LINES_MAX = 10


def lines(node: ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def parameters(function: source.Function) -> int:
    arguments = function.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return len([argument for argument in named if argument.arg not in {"self", "cls"}])


def test_a_module_has_at_most_400_lines() -> None:
    counts = {path: len(source.text(path).splitlines()) for path in source.modules()}
    too_long = {str(path): count for path, count in counts.items() if count > MODULE_LINES_MAX}
    assert not too_long, f"median {median(counts.values())} lines; make folders of {too_long}"


def test_a_function_has_at_most_40_lines_and_6_parameters() -> None:
    counts, too_much = [], []
    for path in [*source.modules(), *source.tests()]:
        for function in source.functions(path):
            counts.append(lines(function))
            if lines(function) > FUNCTION_LINES_MAX or parameters(function) > PARAMETERS_MAX:
                too_much.append(f"{path}:{function.lineno} {function.name}")
    assert not too_much, f"median {median(counts)} lines; split {too_much}"


def test_a_task_has_at_most_10_lines_and_calls_a_service() -> None:
    tasks = [
        (path, function)
        for path in source.modules()
        for function in source.functions(path)
        if {"shared_task", "task"} & {source.called(line) for line in function.decorator_list}
    ]
    assert tasks
    assert [str(path) for path, _ in tasks if path.name != "tasks.py"] == []
    assert [task.name for _, task in tasks if lines(task) > TASK_LINES_MAX] == []


def test_a_model_has_only_properties_and_its_name() -> None:
    methods = [
        f"{path}:{node.lineno} {'.'.join(around)}.{node.name}"
        for path in source.modules()
        if path.name == "models.py" or "models" in path.parts
        for node, around in source.definitions(path)
        if isinstance(node, source.Function) and around and not around[-1].endswith("Manager")
        if node.name != "__str__"
        if "property" not in {source.called(line) for line in node.decorator_list}
    ]
    assert methods == []
