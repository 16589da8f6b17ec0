import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { AccountMenu } from "./account-menu.js";
import { wordsOf } from "./api.js";
import platen from "./icons/platen.svg?url";
import { Link } from "./link.js";
import { loadMe, me } from "./me.js";
import { firstEntries, type MenuEntry, otherEntries } from "./menu.js";
import { path } from "./router.js";
import { standing } from "./standing.js";
import { StandingNotice } from "./standing-notice.js";
import { comeBack } from "./way-back.js";
import { Icon } from "./ui/icon.js";
import { Fault } from "./ui/notice.js";
import { useOnReturn } from "./use-on-return.js";

interface ShellProps {
  /** Fills the window by itself, without the menu. */
  isBare: boolean;
  children: ComponentChildren;
}

/** What stands around every page. Pages are drawn once it is known who looks at them. */
export function Shell({ isBare, children }: ShellProps) {
  const [fault, setFault] = useState<string | null>(null);
  const load = async () => {
    setFault(null);
    await loadMe().then(comeBack, (error: unknown) => setFault(wordsOf(error)));
  };
  useEffect(() => {
    void load();
  }, []);
  useLatestMe();
  return (
    <div class={isBare ? "bare" : "shell"}>
      <a class="button skip" href="#main">
        To the content
      </a>
      {!isBare && <Side />}
      <main class={isBare ? "" : "main"} id="main" tabIndex={-1}>
        <StandingNotice />
        {me.value && children}
        {fault && !me.value && (
          <Fault what="Platen could not be opened" why={fault} onRetry={load} />
        )}
      </main>
    </div>
  );
}

/** Roles change, and other tabs let others in: looked up when somebody comes back, in whichever way. */
function useLatestMe(): void {
  useOnReturn(lookUp);
  const isGood = standing.value === "good";
  useEffect(() => {
    if (isGood) lookUp();
  }, [isGood]);
}

/** What cannot be read now is heard of with the next request. */
function lookUp(): void {
  if (me.peek()) void loadMe().catch(() => undefined);
}

function Side() {
  return (
    <header class="side">
      <Link class="brand" to="">
        <img src={platen} alt="" width={28} height={28} />
        Platen
      </Link>
      <Menu />
      <AccountMenu />
    </header>
  );
}

/** On a phone, the bar at the bottom. */
function Menu() {
  return (
    <nav class="nav" aria-label="Pages">
      <ul>
        {firstEntries().map((entry) => (
          <Item {...entry} isHere={isAt(entry)} key={entry.to} />
        ))}
        {otherEntries().map((entry) => (
          <Item {...entry} isHere={isAt(entry)} class="second" key={entry.to} />
        ))}
        {me.value && (
          <Item
            to="more"
            icon="more"
            words="More"
            isHere={isAt({ to: "more" }) || otherEntries().some(isAt)}
            class="beyond"
          />
        )}
      </ul>
    </nav>
  );
}

interface ItemProps extends MenuEntry {
  isHere: boolean;
  class?: string;
}

function Item({ to, icon, words, isHere, class: classes }: ItemProps) {
  return (
    <li class={classes}>
      <Link to={to} isHere={isHere}>
        <Icon name={icon} />
        {words}
      </Link>
    </li>
  );
}

/** Whether the page that is shown belongs to this entry. */
function isAt({ to }: Pick<MenuEntry, "to">): boolean {
  const here = path.value || "templates";
  return here === to || here.startsWith(`${to}/`);
}
