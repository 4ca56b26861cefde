from .pipeline import MiningResult as MiningResult
from .pipeline import MiningSettings as MiningSettings
from .pipeline import mine as mine
from .readers import read_logs as read_logs
from .report import render_report as render_report
