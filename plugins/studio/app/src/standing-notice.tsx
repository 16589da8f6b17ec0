import type { AppProfile } from "../../../../core/plugin-api/app-plugin.js";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { askAsWhoever } from "./api.js";
import { loadMe } from "./me.js";
import { base } from "./router.js";
import { pageOwner, standing } from "./standing.js";
import { Button } from "./ui/button.js";
import { Icon } from "./ui/icon.js";
import { useOnReturn } from "./use-on-return.js";

/** Says that another tab of the browser has signed out, or let somebody else in; what is shown here stays. */
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
      shows stays: sign in again as {owner.user.name}, then go on here.
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
          <Button onPress={() => location.reload()}>Go on as {name}</Button>
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
            Go on in {who.organization.name}
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

/** In a tab of its own, so that this one keeps what it has. */
function SignInLink({ children }: { children: ComponentChildren }) {
  return (
    <a class="button" href={`${base}sign-in`} target="_blank" rel="noopener">
      {children}
    </a>
  );
}

/** Who is signed in now; null until it is known. */
function useWhoever(): AppProfile | null {
  const [who, setWho] = useState<AppProfile | null>(null);
  const look = () =>
    void askAsWhoever<AppProfile>("me").then(setWho, () => undefined);
  useEffect(look, []);
  useOnReturn(look);
  return who;
}
