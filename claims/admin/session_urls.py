"""The addresses of one session's page, its actions, note review, matching and inbound files."""

from django.urls import path

from claims.admin import answers, correct, match, post, release, review, session, session_actions

SESSION = "sessions_app/session/<uuid:session_id>/"
session_pages = [
    path(f"{SESSION}change/", session.session_page, name="session"),
    path(f"{SESSION}note/", session.open_note, name="session-note"),
    path(f"{SESSION}claim/<int:version>/", session.claim_page, name="claim"),
    path(f"{SESSION}answer/<int:signal_id>/", answers.answer_page, name="answer"),
    path(f"{SESSION}correct/", correct.correct, name="correct"),
    path(f"{SESSION}correct/preview/", correct.preview_correction, name="correct-preview"),
    path(f"{SESSION}release/", release.release, name="session-release"),
    path(f"{SESSION}release/preview/", release.preview_release, name="session-release-preview"),
    path(f"{SESSION}override/", session_actions.override, name="session-override"),
    path(f"{SESSION}aside/", session_actions.set_aside, name="session-aside"),
    path(f"{SESSION}resend/", session_actions.resend, name="session-resend"),
    path(f"{SESSION}missing/", session_actions.send_missing, name="session-missing"),
    path(f"{SESSION}unknown/", session_actions.not_on_file, name="session-unknown"),
    path(f"{SESSION}void/", session_actions.void, name="session-void"),
    path(f"{SESSION}post/<int:version>/", post.post_payment, name="session-post"),
    path(f"{SESSION}message/", session_actions.message, name="session-message"),
    path(f"{SESSION}snooze/", session_actions.snooze, name="session-snooze"),
    path(f"{SESSION}wake/", session_actions.wake, name="session-wake"),
    path(f"{SESSION}pass/", session_actions.pass_on, name="session-pass"),
    path(f"{SESSION}done/", session_actions.done, name="session-done"),
    path(f"{SESSION}undone/", session_actions.undone, name="session-undone"),
    path(f"{SESSION}take/", session_actions.take, name="session-take"),
    path("work/notes/<int:item_id>/", review.review, name="review"),
    path("work/unmatched/<int:item_id>/", match.match, name="match"),
    path("claims/notereview/<int:review_id>/undo/", review.undo_review, name="review-undo"),
    path("work/unmatched/<int:item_id>/snooze/", match.snooze, name="match-snooze"),
    path("work/unmatched/<int:item_id>/wake/", match.wake, name="match-wake"),
    path("work/unmatched/<int:item_id>/dismiss/", match.dismiss, name="match-dismiss"),
    path("work/unmatched/<int:item_id>/again/", match.take_up_again, name="match-again"),
    path("claims/answermatch/<int:match_id>/undo/", match.undo_match, name="match-undo"),
    path("claims/typedremittance/<int:typed_id>/undo/", post.take_back, name="typed-undo"),
    path("claims/inboundfile/<int:file_id>/change/", answers.file_page, name="inbound-file"),
    path("claims/inboundfile/<int:file_id>/done/", answers.file_done, name="inbound-file-done"),
    path("claims/inboundfile/<int:file_id>/raw/", answers.raw_file, name="inbound-file-raw"),
]
