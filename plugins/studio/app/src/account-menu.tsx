import type { AppProfile } from "../../../../core/plugin-api/app-plugin.js";
import { useEffect, useRef, useState } from "preact/hooks";
import { ask, Refusal, wordsOf } from "./api.js";
import { Link } from "./link.js";
import { me } from "./me.js";
import { base } from "./router.js";
import { chooseTheme, type Theme, theme } from "./theme.js";
import { Choices } from "./ui/choices.js";
import { Icon } from "./ui/icon.js";
import { toast } from "./ui/toast.js";

const themes: [Theme, string][] = [
  ["system", "System"],
  ["light", "Light"],
  ["dark", "Dark"],
];

/** Who is signed in, and what is theirs alone. */
export function AccountMenu() {
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
        <span class="hidden-text">Account of</span>
        <span class="who">
          <span>{user.name}</span>
          <span class="muted small">{organization.name}</span>
        </span>
      </button>
      {isOpen && <Menu who={me.value} close={() => setOpen(false)} />}
    </div>
  );
}

function Menu({ who, close }: { who: AppProfile; close: () => void }) {
  const { user, organization, role, organizations } = who;
  return (
    <div class="menu">
      <div class="menu-head">
        <strong>{user.name}</strong>
        <span class="muted small">{user.email}</span>
        <span class="muted small">
          {organization.name}, {role}
        </span>
      </div>
      <Link class="menu-item" to="account" onClick={close}>
        <Icon name="account" />
        Account and sessions
      </Link>
      {organizations.length > 1 && <Organizations who={who} />}
      <div class="menu-part">
        <Choices
          legend="Colours"
          options={themes}
          value={theme.value}
          onChoose={chooseTheme}
        />
      </div>
      <button type="button" class="menu-item" onClick={() => void signOut()}>
        <Icon name="leave" />
        Sign out
      </button>
    </div>
  );
}

function Organizations({ who }: { who: AppProfile }) {
  return (
    <div class="menu-part field">
      <label for="organization">Organization</label>
      <select
        id="organization"
        class="input"
        value={who.organization.id}
        onChange={(event) =>
          void enter(event.currentTarget.value).catch(() =>
            toast("The organization could not be opened."),
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
  // All that is shown belongs to the other one.
  location.assign(base);
}

async function signOut(): Promise<void> {
  try {
    await ask("sign-out", "POST");
  } catch (error) {
    // A session that has ended is as good as one that was ended now.
    if (!(error instanceof Refusal) || error.status !== 401) {
      toast(wordsOf(error));
      return;
    }
  }
  // Nothing of theirs stays in this tab.
  location.assign(`${base}sign-in`);
}

/** Escape, or a press elsewhere. */
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
