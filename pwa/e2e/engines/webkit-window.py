#!/usr/bin/python3
"""A phone-sized WebKitGTK window with a profile on disk, for WebKitWebDriver to drive.

WebKitWebDriver starts this program as its browser. MiniBrowser, which comes with the driver, has a minimum width of
447 px and an ephemeral profile in which IndexedDB cannot store a Blob.

Usage: webkit-window.py PROFILE_FOLDER SCRIPT_FILE [--block-cookies]
SCRIPT_FILE runs in every page before the page's own scripts.
"""
import pathlib
import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2  # noqa: E402

WIDTH, HEIGHT = 390, 844

profile = pathlib.Path(sys.argv[1])
script = pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")
storage = WebKit2.WebsiteDataManager(
    base_data_directory=str(profile / "data"), base_cache_directory=str(profile / "cache")
)
context = WebKit2.WebContext(website_data_manager=storage)
context.set_automation_allowed(True)
if "--block-cookies" in sys.argv[3:]:
    context.get_cookie_manager().set_accept_policy(WebKit2.CookieAcceptPolicy.NEVER)


downloads = profile / "downloads"
downloads.mkdir(parents=True)


def save(_context, download):
    def choose(download, name):
        download.set_destination((downloads / name).as_uri())
        return True

    download.connect("decide-destination", choose)


context.connect("download-started", save)


def open_window(_session):
    content = WebKit2.UserContentManager()
    content.add_script(
        WebKit2.UserScript.new(
            script,
            WebKit2.UserContentInjectedFrames.TOP_FRAME,
            WebKit2.UserScriptInjectionTime.START,
            None,
            None,
        )
    )
    view = WebKit2.WebView(web_context=context, user_content_manager=content, is_controlled_by_automation=True)
    view.get_settings().set_enable_write_console_messages_to_stdout(True)
    window = Gtk.Window(default_width=WIDTH, default_height=HEIGHT)
    window.add(view)
    window.show_all()
    view.connect("close", lambda _view: window.destroy())
    return view


def start_session(_context, session):
    session.connect("create-web-view", open_window)


context.connect("automation-started", start_session)
Gtk.main()
