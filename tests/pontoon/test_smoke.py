def test_a_round_from_deposit_to_settlement(people):
    player = people.player()
    me = player.api.get("me")
    assert me.status == 200, me
    opened = player.bet(200)
    assert opened.status == 201, opened
    over = player.finish(opened.json)
    assert over["state"] == "settled"
    assert over["commitment"] == me.json["next_commitment"]
