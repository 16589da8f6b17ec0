import { useState } from "preact/hooks";
import type {
  PersonInfo,
  PersonLink,
} from "../../../../../core/plugin-api/app-people.js";
import type { AppRole } from "../../../../../core/plugin-api/app-plugin.js";
import { useAction, FormEnd, Form } from "../ui/form.js";
import { ask } from "../api.js";
import { countOf, dayOf, momentOf } from "../format.js";
import { OwnersOnly } from "../session.js";
import { useResource } from "../resource.js";
import { ActionMenu, type MenuAction } from "../ui/action-menu.js";
import { AskFirst, Dialog } from "../ui/dialog.js";
import { Bones } from "../ui/loading.js";
import { Button } from "../ui/button.js";
import { Icon } from "../ui/icon.js";
import { Fault, Notice } from "../ui/notice.js";
import { PageTitle } from "../ui/page-title.js";
import { toast } from "../ui/toast.js";
import "./pages.css";

export function PeoplePage() {
  return (
    <OwnersOnly title="People">
      <Everyone />
    </OwnersOnly>
  );
}

function Everyone() {
  const [isInviting, setInviting] = useState(false);
  const { data, fault, reload } = useResource("", () =>
    ask<PersonInfo[]>("people"),
  );
  return (
    <>
      <PageTitle
        title="People"
        lead="Who is in your organization, and what each may do."
      >
        <Button kind="primary" onPress={() => setInviting(true)}>
          <Icon name="plus" />
          Invite someone
        </Button>
      </PageTitle>
      {fault && !data && (
        <Fault
          what="The people could not be read"
          why={fault}
          onRetry={reload}
        />
      )}
      {!data && !fault && <Bones count={3} />}
      {data && (
        <ul class="card lines">
          {data.map((person) => (
            <PersonLine person={person} onChange={reload} key={person.id} />
          ))}
        </ul>
      )}
      {isInviting && (
        <Invite onInvited={reload} onClose={() => setInviting(false)} />
      )}
    </>
  );
}

interface PersonLineProps {
  person: PersonInfo;
  onChange: () => Promise<void>;
}

/** Someone, and what an owner does about them. */
function PersonLine({ person, onChange }: PersonLineProps) {
  const { name, email, role, isYou, joinedAt } = person;
  return (
    <li class="line person">
      <span class="avatar" aria-hidden="true">
        {name.slice(0, 1).toUpperCase()}
      </span>
      <div class="words">
        <span>
          <strong>{name}</strong>
          {isYou && <span class="badge you">You</span>}
        </span>
        <span class="muted small">{email}</span>
      </div>
      <span class="badge">{roleName(role)}</span>
      <span class="muted small joined">Since {dayOf(joinedAt)}</span>
      <PersonActions person={person} onChange={onChange} />
    </li>
  );
}

function PersonActions({ person, onChange }: PersonLineProps) {
  const { id, name } = person;
  const [asked, setAsked] = useState<"role" | "remove" | null>(null);
  const [link, setLink] = useState<PersonLink | null>(null);
  const close = () => setAsked(null);
  const newLink = async () =>
    setLink(await ask<PersonLink>(`people/${id}/link`, "POST"));
  const actions: MenuAction[] = [
    {
      words: "Change the role",
      icon: "people",
      onPress: () => setAsked("role"),
    },
    { words: "New sign-in link", icon: "key", onPress: newLink },
    {
      words: "Remove",
      icon: "trash",
      isGrave: true,
      onPress: () => setAsked("remove"),
    },
  ];
  return (
    <>
      <ActionMenu label={`Actions for ${name}`} isQuiet actions={actions} />
      {asked === "role" && (
        <ChangeRole person={person} onChanged={onChange} onClose={close} />
      )}
      {asked === "remove" && (
        <Remove person={person} onChange={onChange} onClose={close} />
      )}
      {link && (
        <LinkShown name={name} link={link} onClose={() => setLink(null)} />
      )}
    </>
  );
}

interface RemoveProps extends PersonLineProps {
  onClose: () => void;
}

function Remove({ person, onChange, onClose }: RemoveProps) {
  const { id, name } = person;
  const remove = async () => {
    const { keys } = await ask<{ keys: number }>(`people/${id}`, "DELETE");
    toast(
      keys === 0
        ? `${name} is out.`
        : `${name} is out. ${countOf(keys, "key")} in that name still work: see API keys.`,
    );
    await onChange();
  };
  return (
    <AskFirst
      title={`Remove ${name}?`}
      act="Remove"
      keep="Keep"
      onAct={remove}
      onClose={onClose}
    >
      <p>
        {name} is signed out at once and cannot come back without being invited
        again. Templates and documents stay.
      </p>
    </AskFirst>
  );
}

interface ChangeRoleProps {
  person: PersonInfo;
  onChanged: () => Promise<void>;
  onClose: () => void;
}

/** Gives someone another role; they have to sign in anew. */
function ChangeRole({ person, onChanged, onClose }: ChangeRoleProps) {
  const [role, setRole] = useState(person.role);
  const { isBusy, fault, run } = useAction(async () => {
    await ask(`people/${person.id}`, "PATCH", { role });
    await onChanged();
    onClose();
  });
  return (
    <Dialog title={`Role of ${person.name}`} onClose={onClose}>
      <Form onSend={run}>
        <RoleChoice value={role} onChoose={setRole} />
        <p class="muted small">
          {person.isYou
            ? "You are signed out, and sign in again with the new role."
            : "They are signed out, and sign in again with the new role."}
        </p>
        <FormEnd
          act="Change the role"
          fault={fault}
          isBusy={isBusy}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}

interface RoleChoiceProps {
  value: AppRole;
  onChoose: (role: AppRole) => void;
}

/** The roles, each with what it may do. */
function RoleChoice({ value, onChoose }: RoleChoiceProps) {
  return (
    <fieldset class="roles">
      <legend class="label">Role</legend>
      {roleWords.map(([role, name, words]) => (
        <label class="check role" key={role}>
          <input
            type="radio"
            name="role"
            checked={role === value}
            onChange={() => onChoose(role)}
          />
          <span class="words">
            <strong>{name}</strong>
            <span class="muted small">{words}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** What each role may do, in words. */
const roleWords: readonly (readonly [
  role: AppRole,
  name: string,
  may: string,
])[] = [
  ["viewer", "Viewer", "Looks at everything but keys, people and the log."],
  ["editor", "Editor", "Also changes templates and makes documents."],
  ["owner", "Owner", "Everything: people, connections, webhooks and keys too."],
];

function roleName(role: AppRole): string {
  return roleWords.find(([one]) => one === role)?.[1] ?? role;
}

interface InviteProps {
  onInvited: () => Promise<void>;
  onClose: () => void;
}

/** Adds someone, and shows the link by which they come in. */
function Invite({ onInvited, onClose }: InviteProps) {
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<AppRole>("editor");
  const [link, setLink] = useState<PersonLink | null>(null);
  const { isBusy, fault, run } = useAction(async () => {
    const order = { name, email, role };
    setLink(await ask<PersonLink>("people", "POST", order));
    await onInvited();
  });
  // What is made is shown this once: nobody closes that away.
  const close = () => {
    if (!isBusy) onClose();
  };
  if (link) return <LinkShown name={name} link={link} onClose={onClose} />;
  return (
    <Dialog title="Invite someone" onClose={close}>
      <Form onSend={run}>
        <PersonField id="person-name" words="Name" onType={setName} />
        <PersonField
          id="person-email"
          words="Email address"
          isEmail
          onType={setEmail}
        />
        <RoleChoice value={role} onChoose={setRole} />
        <FormEnd act="Invite" fault={fault} isBusy={isBusy} onCancel={close} />
      </Form>
    </Dialog>
  );
}

interface PersonFieldProps {
  id: string;
  words: string;
  isEmail?: boolean;
  onType: (value: string) => void;
}

function PersonField(props: PersonFieldProps) {
  const { id, words, isEmail = false, onType } = props;
  const shared = {
    id,
    class: "input",
    required: true,
    maxLength: 255,
    autocomplete: "off",
    onInput: (event: { currentTarget: { value: string } }) =>
      onType(event.currentTarget.value),
  } as const;
  return (
    <div class="field">
      <label for={id}>{words}</label>
      {isEmail ? (
        <input {...shared} type="email" />
      ) : (
        <input {...shared} type="text" />
      )}
    </div>
  );
}

interface LinkShownProps {
  name: string;
  link: PersonLink;
  onClose: () => void;
}

/** The only sight of someone's link. */
function LinkShown({ name, link, onClose }: LinkShownProps) {
  const { url, expiresAt, mail } = link;
  const copy = async () => {
    await navigator.clipboard.writeText(url ?? "");
    toast("The link was copied.");
  };
  return (
    <Dialog title={`A way in for ${name}`} onClose={onClose}>
      <Mailed link={link} />
      {url !== null && (
        <>
          <p>
            {mail === "sent" ? "Or give" : "Give"} this link to {name} alone. It
            works once, until {momentOf(expiresAt)}, and is not shown again.
          </p>
          <code class="command secret">{url}</code>
        </>
      )}
      {url === null && mail !== "sent" && (
        <p>
          {name} belongs to other organizations too, so the link is not shown
          here. They sign in the way they always do, and find your organization
          behind their name.
        </p>
      )}
      <div class="dialog-end">
        {url !== null && (
          <Button onPress={copy}>
            <Icon name="copy" />
            Copy the link
          </Button>
        )}
        <Button kind="primary" onPress={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}

function Mailed({ link: { mail, expiresAt } }: { link: PersonLink }) {
  if (mail === "off") return null;
  if (mail === "sent")
    return (
      <Notice tone="good" title="The link was mailed">
        <p>It works once, until {momentOf(expiresAt)}.</p>
      </Notice>
    );
  return (
    <Notice tone="bad" title="The link could not be mailed">
      <p>Whoever runs Platen finds the reason in its log.</p>
    </Notice>
  );
}
