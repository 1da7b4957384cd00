"""The offline verifier: `python -m audit.verify EXPORT`. No Django, no database, no network.

It trusts the log's public key and nothing else: signatures and tree show that the entries are
those that were signed; the rounds are played again by the engine, the wallets reckoned again from
the transfers, and both held against the entries.
"""
