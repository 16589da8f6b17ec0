import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { UserProfile, MemberRole } from "../../core/accounts/views.js";
import { ask, Refusal, standing, wordsOf } from "./api.js";
import platen from "./icons/platen.svg?url";
import { base, comeBack, Link, path } from "./router.js";
import {
  loadMe,
  may,
  me,
  roleNames,
  StandingNotice,
  useOnReturn,
} from "./session.js";
import { chooseTheme, type Theme, theme } from "./theme.js";
import { Choices, LanguageField } from "./ui/form.js";
import { Icon, type IconName } from "./ui/icon.js";
import { Fault } from "./ui/notice.js";
import { PageTitle } from "./ui/page-title.js";
import { toast } from "./ui/toast.js";
import { t } from "./messages/index.js";

interface ShellProps {
  /** Whether the page fills the window, without the menu. */
  isBare: boolean;
  children: ComponentChildren;
}

/** The frame around every page. Pages are rendered once the profile is loaded. */
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
        {t("shell.skipToContent")}
      </a>
      {!isBare && <Side />}
      <main class={isBare ? "" : "main"} id="main" tabIndex={-1}>
        <StandingNotice />
        {me.value && children}
        {fault && !me.value && (
          <Fault
            what={t("shell.couldntOpenPlaten")}
            why={fault}
            onRetry={load}
          />
        )}
      </main>
    </div>
  );
}

/**
 * Reloads the profile when the person returns to the tab: their role may have changed, or another tab may have
 * signed in somebody else.
 */
function useLatestMe(): void {
  useOnReturn(lookUp);
  const isGood = standing.value === "good";
  useEffect(() => {
    if (isGood) lookUp();
  }, [isGood]);
}

/** Errors are ignored: the next request reports them. */
function lookUp(): void {
  if (me.peek()) void loadMe().catch(() => undefined);
}

function Side() {
  return (
    <header class="side">
      <Link class="brand" to="">
        <img src={platen} alt="" width={28} height={28} />
        {t("shell.platen")}
      </Link>
      <Navigation />
      <AccountMenu />
    </header>
  );
}

/** Shown as a bar at the bottom on phones. */
function Navigation() {
  return (
    <nav class="nav" aria-label={t("shell.pages")}>
      <ul>
        {firstEntries.map((entry) => (
          <NavigationItem entry={entry} key={entry.to} />
        ))}
        {otherEntries().map((entry) => (
          <NavigationItem entry={entry} class="second" key={entry.to} />
        ))}
        {me.value && (
          <NavigationItem
            entry={{ to: "more", icon: "more", words: t("common.more") }}
            isHere={isAt({ to: "more" }) || otherEntries().some(isAt)}
            class="beyond"
          />
        )}
      </ul>
    </nav>
  );
}

interface NavigationItemProps {
  entry: MenuEntry;
  isHere?: boolean;
  class?: string;
}

function NavigationItem(props: NavigationItemProps) {
  const { entry, isHere = isAt(entry) } = props;
  return (
    <li
      class={props.class}
      {...(entry.startsGroup && { "data-starts-group": true })}
    >
      <Link to={entry.to} isHere={isHere}>
        <Icon name={entry.icon} />
        {entry.words}
      </Link>
    </li>
  );
}

function isAt({ to }: Pick<MenuEntry, "to">): boolean {
  const here = path.value || "templates";
  return here === to || here.startsWith(`${to}/`);
}

interface MenuEntry {
  /** A path of the app. */
  to: string;
  icon: IconName;
  words: string;
  /** Whether a line sets it apart from the entry before it. */
  startsGroup?: true;
}

/** The main pages, which are always visible. */
const firstEntries: readonly MenuEntry[] = [
  { to: "templates", icon: "templates", words: t("shell.templates") },
  { to: "documents", icon: "documents", words: t("shell.documents") },
  { to: "batches", icon: "batches", words: t("shell.batches") },
];

/** The other pages, by the lowest role that can open them. */
const entriesByRole: readonly (readonly [MemberRole, MenuEntry])[] = [
  [
    "viewer",
    {
      to: "assets",
      startsGroup: true,
      icon: "image",
      words: t("shell.assets"),
    },
  ],
  ["viewer", { to: "brand", icon: "palette", words: t("brand.title") }],
  ["viewer", { to: "blocks", icon: "block", words: t("blocks.blocks") }],
  [
    "editor",
    {
      to: "start",
      startsGroup: true,
      icon: "table",
      words: t("shell.connectSpreadsheet"),
    },
  ],
  ["viewer", { to: "buttons", icon: "button", words: t("shell.buttons") }],
  [
    "viewer",
    { to: "automations", icon: "history", words: t("automations.title") },
  ],
  [
    "viewer",
    { to: "connections", icon: "connections", words: t("shell.connections") },
  ],
  ["viewer", { to: "webhooks", icon: "webhooks", words: t("shell.webhooks") }],
  [
    "viewer",
    { to: "usage", startsGroup: true, icon: "usage", words: t("shell.usage") },
  ],
  ["viewer", { to: "numbers", icon: "number", words: t("shell.numbers") }],
  [
    "viewer",
    { to: "assistants", icon: "assistant", words: t("shell.assistants") },
  ],
  ["owner", { to: "keys", icon: "key", words: t("shell.apiKeys") }],
  [
    "owner",
    { to: "certificate", icon: "certificate", words: t("certificate.title") },
  ],
  ["owner", { to: "people", icon: "people", words: t("shell.people") }],
  ["owner", { to: "audit", icon: "audit", words: t("shell.auditLog") }],
  ["owner", { to: "plugins", icon: "plugins", words: t("shell.plugins") }],
];

/** The other pages; on a phone, behind "More". */
function otherEntries(): MenuEntry[] {
  return entriesByRole.flatMap(([role, entry]) => (may(role) ? entry : []));
}

const themes: [Theme, string][] = [
  ["system", t("shell.system")],
  ["light", t("shell.light")],
  ["dark", t("shell.dark")],
];

function AccountMenu() {
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => (isOpen ? closeOutside(box.current, setOpen) : undefined));
  if (!me.value) return <div class="account" />;
  const { user, organization } = me.value;
  return (
    <div class="account" ref={box}>
      <button
        type="button"
        class="account-button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span class="avatar" aria-hidden="true">
          {user.name.slice(0, 1).toUpperCase()}
        </span>
        <span class="hidden-text">{t("shell.accountOf")}</span>
        <span class="who">
          <span>{user.name}</span>
          <span class="muted small">{organization.name}</span>
        </span>
      </button>
      {isOpen && (
        <AccountMenuItems who={me.value} close={() => setOpen(false)} />
      )}
    </div>
  );
}

function AccountMenuItems({
  who,
  close,
}: {
  who: UserProfile;
  close: () => void;
}) {
  const { user, organization, role, organizations } = who;
  return (
    <div class="menu">
      <div class="menu-head">
        <strong>{user.name}</strong>
        <span class="muted small">{user.email}</span>
        <span class="muted small">
          {t("shell.organizationAndRole", {
            organization: organization.name,
            role: roleNames[role],
          })}
        </span>
      </div>
      <Link class="menu-item" to="account" onClick={close}>
        <Icon name="account" />
        {t("shell.accountAndSessions")}
      </Link>
      <a class="menu-item" href="../docs/" target="_blank" rel="noopener">
        <Icon name="documents" />
        {t("shell.documentation")}
      </a>
      {organizations.length > 1 && <Organizations who={who} />}
      <div class="menu-part">
        <Choices
          legend={t("brand.colors")}
          options={themes}
          value={theme.value}
          onChoose={chooseTheme}
        />
      </div>
      <div class="menu-part">
        <LanguageField />
      </div>
      <button type="button" class="menu-item" onClick={() => void signOut()}>
        <Icon name="leave" />
        {t("shell.signOut")}
      </button>
    </div>
  );
}

function Organizations({ who }: { who: UserProfile }) {
  return (
    <div class="menu-part field">
      <label for="organization">{t("shell.organization")}</label>
      <select
        id="organization"
        class="input"
        value={who.organization.id}
        onChange={(event) =>
          void enter(event.currentTarget.value).catch(() =>
            toast(t("shell.couldntSwitchOrganization")),
          )
        }
      >
        {who.organizations.map(({ id, name }) => (
          <option value={id} key={id}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

async function enter(organizationId: string): Promise<void> {
  await ask("me/organization", "POST", { organizationId });
  // Reload, because everything on the page belongs to the previous organization.
  location.assign(base);
}

async function signOut(): Promise<void> {
  try {
    await ask("sign-out", "POST");
  } catch (error) {
    // A 401 means that the session has already ended.
    if (!(error instanceof Refusal) || error.status !== 401) {
      toast(wordsOf(error));
      return;
    }
  }
  // Reload, so that none of their data stays in this tab.
  location.assign(`${base}sign-in`);
}

/** Closes the menu on Escape and on clicks outside of it. */
function closeOutside(
  box: HTMLElement | null,
  setOpen: (isOpen: boolean) => void,
): () => void {
  const ending = new AbortController();
  const options = { signal: ending.signal };
  document.addEventListener(
    "pointerdown",
    ({ target }) => {
      if (target instanceof Node && !box?.contains(target)) setOpen(false);
    },
    options,
  );
  document.addEventListener(
    "keydown",
    ({ key }) => {
      if (key !== "Escape") return;
      setOpen(false);
      box?.querySelector("button")?.focus();
    },
    options,
  );
  return () => ending.abort();
}

/** On a phone: the pages that are not in the bar. */
export function MorePage() {
  return (
    <>
      <PageTitle title={t("common.more")} />
      <ul class="card lines">
        {otherEntries().map(({ to, icon, words }) => (
          <li class="line" key={to}>
            <Link class="strong leads" to={to}>
              <Icon name={icon} />
              {words}
              <Icon name="next" size={16} />
            </Link>
          </li>
        ))}
        <li class="line">
          <a class="strong leads" href="../docs/">
            <Icon name="documents" />
            {t("shell.documentation")}
            <Icon name="next" size={16} />
          </a>
        </li>
      </ul>
    </>
  );
}
