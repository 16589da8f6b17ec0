import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type {
  UserProfile,
  MemberRole,
  Guide,
} from "../../core/accounts/views.js";
import { ask, askAsWhoever, pageOwner, standing } from "./api.js";
import { base } from "./router.js";
import { Button } from "./ui/button.js";
import { Icon } from "./ui/icon.js";
import { Notice } from "./ui/notice.js";
import { PageTitle } from "./ui/page-title.js";
import { t } from "./messages/index.js";

/** The signed-in person; null until loaded. */
export const me = signal<UserProfile | null>(null);

/** The first profile becomes the page's owner. */
export async function loadMe(): Promise<void> {
  const profile = await ask<UserProfile>("me");
  pageOwner.value ??= profile;
  if (JSON.stringify(profile) !== JSON.stringify(me.peek())) me.value = profile;
}

export const roleNames: Readonly<Record<MemberRole, string>> = {
  viewer: t("common.viewer"),
  editor: t("common.editor"),
  owner: t("common.owner"),
};

export function may(role: MemberRole): boolean {
  const order: MemberRole[] = ["viewer", "editor", "owner"];
  return (
    me.value !== null && order.indexOf(me.value.role) >= order.indexOf(role)
  );
}

/** Whether a guide is offered to the person: until they have finished, hidden or declined it. */
export function isGuideOffered(guide: Guide): boolean {
  return me.peek()?.endedGuides.includes(guide) === false;
}

/** The guide is never offered to the person again, in any browser. */
export async function endGuide(guide: Guide): Promise<void> {
  await ask("me/ended-guides", "POST", { guide });
  await loadMe();
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
      <Notice title={t("session.onlyOwnersCanOpenThisPage")}>
        <p>{t("session.askOwner")}</p>
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
  owner: UserProfile;
}

function SignedOut({ owner }: OwnerProps) {
  return (
    <Bar
      title={t("session.youAreSignedOut")}
      acts={<SignInLink>{t("session.signInAgain")}</SignInLink>}
    >
      {t("session.signedOutHelp", { name: owner.user.name })}
    </Bar>
  );
}

function OtherVisitor({ owner }: OwnerProps) {
  const who = useWhoever();
  const isSamePerson = who?.user.id === owner.user.id;
  return isSamePerson ? (
    <OtherOrganization owner={owner} who={who} />
  ) : (
    <OtherPerson owner={owner} name={who?.user.name ?? null} />
  );
}

function OtherPerson({ owner, name }: OwnerProps & { name: string | null }) {
  const { user } = owner;
  return (
    <Bar
      title={
        name === null
          ? t("session.otherIsNowSignedIn")
          : t("session.youAreNowSignedIn", { name })
      }
      acts={
        <>
          <SignInLink>
            {t("session.signInAsName", { name: user.name })}
          </SignInLink>
          <Button onPress={() => location.reload()}>
            {name === null
              ? t("session.continueAsOther")
              : t("session.continueAsName", { name })}
          </Button>
        </>
      }
    >
      {t("session.otherPersonHelp", { name: user.name })}
    </Bar>
  );
}

function OtherOrganization({ owner, who }: OwnerProps & { who: UserProfile }) {
  const here = owner.organization;
  const enter = async () => {
    const body = { organizationId: here.id };
    await askAsWhoever("me/organization", "POST", body);
    await loadMe();
  };
  return (
    <Bar
      title={t("session.youOpenedNameInAnotherTab", {
        name: who.organization.name,
      })}
      acts={
        <>
          <Button onPress={enter}>
            {t("session.switchBackToName", { name: here.name })}
          </Button>
          <Button onPress={() => location.assign(base)}>
            {t("session.continueInName", { name: who.organization.name })}
          </Button>
        </>
      }
    >
      {t("session.otherOrganizationHelp", { name: here.name })}
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
function useWhoever(): UserProfile | null {
  const [who, setWho] = useState<UserProfile | null>(null);
  const look = () =>
    void askAsWhoever<UserProfile>("me").then(setWho, () => undefined);
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
