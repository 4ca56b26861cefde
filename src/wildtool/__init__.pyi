# The public API, each name once. Loaded lazily by __init__.py, read by editors and type checkers.

# Logs → seed scenarios
# Candidates and scores
from .agents.candidates.candidate import Attempt as Attempt
from .agents.candidates.candidate import play as play
from .agents.candidates.policies import builtin as builtin

# Plans and drafts
from .agents.gateway.gateway import GatewaySettings as GatewaySettings
from .agents.planning.plan import plan_sessions as plan_sessions
from .agents.profiles import load_profile as load_profile

# API descriptions → tool lists
from .api_catalog.functions.verify import verify_catalogue as verify_catalogue
from .api_catalog.lists.session_sampling import sample as sample
from .api_catalog.sources.build import CatalogueResult as CatalogueResult
from .api_catalog.sources.build import build_catalogue as build_catalogue
from .api_catalog.sources.imports import import_paths as import_paths
from .api_catalog.sources.storage import Catalogue as Catalogue
from .api_catalog.sources.storage import load_catalogue as load_catalogue
from .api_catalog.sources.storage import save_catalogue as save_catalogue
from .evaluation.report.metrics import compare_runs as compare_runs
from .evaluation.report.metrics import summarise as summarise
from .evaluation.report.page import write_report as write_report
from .evaluation.score import score_session as score_session
from .flows.gold_gate import referee_for as referee_for
from .flows.library import draft_all as draft_all

# Releases and the warehouse
from .flows.library import freeze as freeze
from .flows.library import verify_release as verify_release
from .mining.pipeline import MiningResult as MiningResult
from .mining.pipeline import MiningSettings as MiningSettings
from .mining.pipeline import mine as mine
from .mining.readers import read_logs as read_logs

# Records
from .schemas.draft import Draft as Draft
from .schemas.errors import InputError as InputError
from .schemas.errors import WildtoolError as WildtoolError
from .schemas.label import Label as Label
from .schemas.plan import Profile as Profile
from .schemas.plan import SessionPlan as SessionPlan
from .schemas.score import ScoreReport as ScoreReport
from .schemas.score import TaskScore as TaskScore
from .schemas.seed import SeedScenario as SeedScenario
from .schemas.session import Session as Session
from .schemas.session import Task as Task
from .schemas.tool import ToolList as ToolList
from .schemas.trajectory import Trajectory as Trajectory
from .schemas.vocabulary import RuleSet as RuleSet
from .warehouse.release.freezing import FreezeRequest as FreezeRequest
from .warehouse.release.release import Release as Release
from .warehouse.release.release import diff_releases as diff_releases
from .warehouse.release.release import export_release as export_release
from .warehouse.release.release import load_release as load_release
from .warehouse.store.store import Store as Store
