// The console: which page the fragment asks for, signing in, the theme, shortcuts. It reads only the service's public API.

import { onSignIn, signIn, signedIn } from "./access.js";
import { speak } from "./announce.js";
import { h, set, text } from "./dom.js";
import { overviewPage } from "./overview.js";
import { forgetAddress, routeOf } from "./router.js";
import { streamPage } from "./stream.js";
import { systemPage } from "./system.js";

const PAGES = { overview: overviewPage, stream: streamPage, system: systemPage };
const THEMES = ["auto", "light", "dark"];
const main = document.getElementById("main");
let [page, route] = [null, null];

function show() {
  const wanted = routeOf(location.hash);
  const same = route && wanted.page === route.page && wanted.session === route.session && wanted.step === route.step && wanted.after === route.after;
  if (same && page) return page.moved(wanted);
  forgetAddress();
  page?.close();
  const first = page === null;
  route = wanted;
  page = PAGES[wanted.page](wanted);
  main.replaceChildren(page.element);
  document.title = `${page.title} · Tributary`;
  for (const link of document.querySelectorAll("nav.main a")) set(link, { "aria-current": link.dataset.page === (wanted.page === "system" ? "system" : "overview") ? "page" : null });
  // Who came here by a link starts at the heading, as after loading a page.
  if (!first) main.querySelector("h1")?.focus({ preventScroll: true });
  scrollTo(0, 0);
}

// Theme: the only thing that is remembered, and nothing secret.
let theme = "auto";
try {
  theme = THEMES.includes(localStorage.getItem("theme")) ? localStorage.getItem("theme") : "auto";
} catch {} // storage may be forbidden
const themeButton = document.getElementById("theme");
function drawTheme() {
  document.documentElement.dataset.theme = theme;
  text(themeButton.querySelector("span"), theme);
  set(themeButton, { "aria-label": `Theme: ${theme}. Change it` });
}
function changeTheme() {
  theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  try {
    localStorage.setItem("theme", theme);
  } catch {} // as above
  drawTheme();
}
themeButton.addEventListener("click", changeTheme);
drawTheme();

// Signing in: the field is emptied at once, the token stays in a variable of access.js.
const dialog = document.getElementById("sign-in");
const field = document.getElementById("token");
const who = document.getElementById("who");
function take(token) {
  field.value = "";
  dialog.close();
  signIn(token);
}
document.getElementById("sign-in-do").addEventListener("click", () => take(field.value));
document.getElementById("sign-out-do").addEventListener("click", () => take(""));
field.addEventListener("keydown", (event) => event.key === "Enter" && (event.preventDefault(), take(field.value)));
dialog.addEventListener("close", () => (field.value = ""));
who.addEventListener("click", () => dialog.showModal());
onSignIn((is) => {
  text(who, is ? "Signed in" : "Sign in");
  set(who, { "aria-label": is ? "Signed in with a token. Change it" : "Sign in with a token" });
  speak(is ? "Token set" : "Signed out");
  // What is shown is asked for again, as whoever it is now.
  route = null;
  show();
});

// Shortcuts. Single keys, never while a text is being typed.
const SHORTCUTS = [
  ["Anywhere", [["?", "these shortcuts"], ["g then s", "sessions"], ["g then y", "system"], ["d", "light, dark or as the system"], ["k", "sign in"], ["/", "search, or the id to open"]]],
  ["In a stream", [["c", "cut or resume the connection"], ["[", "one event back"], ["]", "one event on"], ["l", "back to now"], ["t r", "timeline, result"], ["e f v", "events, frames, verdicts"]]],
  ["In lists", [["↑ ↓", "from row to row"], ["Enter", "open or close"], ["Home End", "first, last"], ["Page ↑ ↓", "a page"]]],
];
const help = document.getElementById("help");
help.querySelector(".keys").append(...SHORTCUTS.map(([name, keys]) => h("section", {}, h("h3", {}, name), h("dl", {}, keys.map(([key, what]) => h("div", {}, h("dt", {}, key.split(" ").map((one) => (one === "then" ? " then " : h("kbd", {}, one)))), h("dd", {}, what)))))));
document.getElementById("help-open").addEventListener("click", () => help.showModal());
for (const button of document.querySelectorAll("dialog .close")) button.addEventListener("click", () => button.closest("dialog").close());

// A fragment that isn't an address: the router would take it for one.
document.getElementById("skip").addEventListener("click", (event) => (event.preventDefault(), main.focus()));

const single = document.getElementById("single");
let before = "";
const ANYWHERE = {
  "?": () => help.showModal(),
  d: changeTheme,
  k: () => dialog.showModal(),
};
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
  const typing = event.target.closest?.("input:not([type=range]), select, textarea, dialog");
  if (event.key === "Escape" && typing && typing.tagName === "INPUT") return typing.blur();
  if (typing || (!single.checked && event.key !== "?")) return;
  const going = before === "g" ? { s: "#/", y: "#/system" }[event.key] : undefined;
  before = event.key;
  const act = going ? () => (location.hash = going) : (page?.keys[event.key] ?? ANYWHERE[event.key]);
  if (!act) return;
  event.preventDefault();
  act();
});

// For who looks from outside whether coverage held; holds nothing that the page doesn't show.
Object.defineProperty(globalThis, "tributary", { value: { get followed() { return page?.followed; }, get signedIn() { return signedIn(); } } });
addEventListener("hashchange", show);
show();
