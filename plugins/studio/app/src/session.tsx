import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type {
  AppProfile,
  AppRole,
} from "../../../../core/plugin-api/app-plugin.js";
import { ask, askAsWhoever, pageOwner, standing } from "./api.js";
import { base } from "./router.js";
import { Button } from "./ui/button.js";
import { Icon } from "./ui/icon.js";
import { Notice } from "./ui/notice.js";
import { PageTitle } from "./ui/page-title.js";

/** The signed-in person; null until loaded. */
export const me = signal<AppProfile | null>(null);

/** Loads the profile. The first one becomes the page's owner. */
export async function loadMe(): Promise<void> {
  const profile = await ask<AppProfile>("me");
  pageOwner.value ??= profile;
  if (JSON.stringify(profile) !== JSON.stringify(me.peek())) me.value = profile;
}

export function may(role: AppRole): boolean {
  const order: AppRole[] = ["viewer", "editor", "owner"];
  return (
    me.value !== null && order.indexOf(me.value.role) >= order.indexOf(role)
  );
}

interface OwnersOnlyProps {
  /** Of the page. */
  title: string;
  children: ComponentChildren;
}

/** Shows a notice instead of the page to people who are not owners. */
export function OwnersOnly({ title, children }: OwnersOnlyProps) {
  if (may("owner")) return <>{children}</>;
  return (
    <>
      <PageTitle title={title} />
      <Notice title="This page is for owners">
        <p>Ask an owner of your organization for what you need.</p>
      </Notice>
    </>
  );
}

/** Says that another tab has signed out or signed in somebody else. The content of this page stays. */
export function StandingNotice() {
  const owner = pageOwner.value;
  if (!owner || standing.value === "good") return null;
  return standing.value === "signed-out" ? (
    <SignedOut owner={owner} />
  ) : (
    <OtherVisitor owner={owner} />
  );
}

interface OwnerProps {
  owner: AppProfile;
}

function SignedOut({ owner }: OwnerProps) {
  return (
    <Bar
      title="You are signed out."
      acts={<SignInLink>Sign in again</SignInLink>}
    >
      You signed out in another tab, or your session has ended. What this tab
      shows stays: sign in again as {owner.user.name}, then continue here.
    </Bar>
  );
}

function OtherVisitor({ owner }: OwnerProps) {
  const who = useWhoever();
  const isSamePerson = who?.user.id === owner.user.id;
  return isSamePerson ? (
    <OtherOrganization owner={owner} who={who} />
  ) : (
    <OtherPerson owner={owner} name={who?.user.name ?? "someone else"} />
  );
}

function OtherPerson({ owner, name }: OwnerProps & { name: string }) {
  const { user } = owner;
  return (
    <Bar
      title={`You are now signed in as ${name} in another tab.`}
      acts={
        <>
          <SignInLink>Sign in as {user.name}</SignInLink>
          <Button onPress={() => location.reload()}>Continue as {name}</Button>
        </>
      }
    >
      This tab was opened as {user.name}. Nothing that you do here is saved
      until {user.name} signs in again; what you wrote stays here.
    </Bar>
  );
}

function OtherOrganization({ owner, who }: OwnerProps & { who: AppProfile }) {
  const here = owner.organization;
  const enter = async () => {
    const body = { organizationId: here.id };
    await askAsWhoever("me/organization", "POST", body);
    await loadMe();
  };
  return (
    <Bar
      title={`You have opened ${who.organization.name} in another tab.`}
      acts={
        <>
          <Button onPress={enter}>Open {here.name} again</Button>
          <Button onPress={() => location.assign(base)}>
            Continue in {who.organization.name}
          </Button>
        </>
      }
    >
      This tab still shows {here.name}. Nothing that you do here is saved until
      you open {here.name} again; what you wrote stays here.
    </Bar>
  );
}

interface BarProps {
  title: string;
  /** What can be done about it. */
  acts: ComponentChildren;
  children: ComponentChildren;
}

function Bar({ title, acts, children }: BarProps) {
  return (
    <div class="standing" role="alert">
      <Icon name="warn" size={18} />
      <strong>{title}</strong>
      <p>{children}</p>
      <div class="standing-acts">{acts}</div>
    </div>
  );
}

/** Opens in a new tab, so that this one keeps unsaved work. */
function SignInLink({ children }: { children: ComponentChildren }) {
  return (
    <a class="button" href={`${base}sign-in`} target="_blank" rel="noopener">
      {children}
    </a>
  );
}

/** The person who is signed in now; null until loaded. */
function useWhoever(): AppProfile | null {
  const [who, setWho] = useState<AppProfile | null>(null);
  const look = () =>
    void askAsWhoever<AppProfile>("me").then(setWho, () => undefined);
  useEffect(look, []);
  useOnReturn(look);
  return who;
}

/** Calls `look` whenever the person returns to the tab or window. */
export function useOnReturn(look: () => void): void {
  useEffect(() => {
    const ends = new AbortController();
    const options = { signal: ends.signal };
    const onReturn = () => {
      if (!document.hidden) look();
    };
    document.addEventListener("visibilitychange", onReturn, options);
    addEventListener("focus", onReturn, options);
    return () => ends.abort();
  });
}
