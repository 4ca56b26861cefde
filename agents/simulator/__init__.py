"""Offline model: a simulator driven by rules and schemas, behind the real ``openai`` client.

It plays every role in both languages, the same way for the same plan. What it writes is marked ``offline``.
"""
