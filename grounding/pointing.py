"""resolve() placeholder"""
