import { computed, signal } from "@preact/signals";
import type { ComponentChildren, TargetedMouseEvent } from "preact";
import { clock } from "../../core/lib/clock.js";

/** The path of the app, from the page's <base>, with a slash at both ends. */
export const base = new URL(document.baseURI).pathname;

/** The address below the app, such as `templates/1?tab=versions`. */
const here = signal(read());

/** Number of navigations. */
export const steps = signal(0);

/** Path and query of the page that is shown. */
export const place = computed(() => new URL(here.value, "http://app/"));
export const path = computed(() => place.value.pathname.slice(1));

window.addEventListener("popstate", () => {
  here.value = read();
});

function read(): string {
  return location.pathname.slice(base.length) + location.search;
}

/** `replace` adds no history entry. */
export function go(to: string, { replace = false } = {}): void {
  const url = base + to;
  if (replace) history.replaceState(null, "", url);
  else history.pushState(null, "", url);
  here.value = read();
  if (replace) return;
  steps.value += 1;
  window.scrollTo(0, 0);
}

/**
 * Returns a function that tells whether the page has stayed the same, so that a late response does not navigate
 * away.
 */
export function whereNow(): () => boolean {
  const from = path.peek();
  return () => path.peek() === from;
}

/** Empty values are removed from the query. */
export function setQuery(values: Record<string, string>): void {
  const url = new URL(place.value);
  for (const [name, value] of Object.entries(values))
    if (value === "") url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  go(url.pathname.slice(1) + url.search, { replace: true });
}

const key = "platen-way-back";
/** As long as a sign-in link is good by default. */
const otherTabMs = 15 * 60_000;

/**
 * Goes to the sign-in page and remembers the current page for `comeBack`. Connecting an assistant goes on in another tab
 * too, in which a link from an email opens.
 */
export function leaveToSignIn(): void {
  if (path.value.startsWith("sign-in")) return;
  const back = path.value + place.value.search;
  sessionStorage.setItem(key, back);
  if (path.value === "connect")
    localStorage.setItem(key, `${clock.now()} ${back}`);
  go("sign-in", { replace: true });
}

/** Returns to the page from before the sign-in; the sign-in itself leads to the first page. */
export function comeBack(): void {
  const back = sessionStorage.getItem(key) ?? findOtherTab();
  sessionStorage.removeItem(key);
  localStorage.removeItem(key);
  if (back !== null && path.value === "") go(back, { replace: true });
}

function findOtherTab(): string | null {
  const [time = "", back = ""] = localStorage.getItem(key)?.split(" ") ?? [];
  return back !== "" && clock.now() - Number(time) < otherTabMs ? back : null;
}

interface LinkProps {
  /** A path of the app. */
  to: string;
  class?: string;
  /** The page that is shown now. */
  isHere?: boolean;
  children: ComponentChildren;
  onClick?: () => void;
}

/** With a modifier key the browser handles the click. */
export function Link({
  to,
  class: classes,
  isHere = false,
  children,
  onClick,
}: LinkProps) {
  const open = (event: TargetedMouseEvent<HTMLAnchorElement>) => {
    onClick?.();
    const { button, metaKey, ctrlKey, shiftKey, altKey } = event;
    if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a
      href={base + to}
      class={classes}
      aria-current={isHere ? "page" : undefined}
      onClick={open}
    >
      {children}
    </a>
  );
}
