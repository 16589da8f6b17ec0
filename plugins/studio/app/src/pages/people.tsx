import { useState } from "preact/hooks";
import type {
  PersonInfo,
  PersonLink,
  AppRole,
} from "../../../../../core/plugin-api/app-plugin.js";
import { Form, FormActions, InputField, useAction } from "../ui/form.js";
import { ask } from "../api.js";
import { countOf, dayOf, momentOf } from "../format.js";
import { OwnersOnly } from "../session.js";
import { useResource } from "../resource.js";
import { ActionMenu, type MenuAction } from "../ui/action-menu.js";
import { ConfirmDialog, copyText, Dialog } from "../ui/dialog.js";
import { LoadStatus } from "../ui/loading.js";
import { Button } from "../ui/button.js";
import { Icon } from "../ui/icon.js";
import { Notice } from "../ui/notice.js";
import { PageTitle } from "../ui/page-title.js";
import { toast } from "../ui/toast.js";
import "./pages.css";

export function PeoplePage() {
  return (
    <OwnersOnly title="People">
      <PeopleList />
    </OwnersOnly>
  );
}

function PeopleList() {
  const [isInviting, setInviting] = useState(false);
  const { data, fault, reload } = useResource("", () =>
    ask<PersonInfo[]>("people"),
  );
  return (
    <>
      <PageTitle
        title="People"
        lead="The members of your organization and their roles."
      >
        <Button kind="primary" onPress={() => setInviting(true)}>
          <Icon name="plus" />
          Invite someone
        </Button>
      </PageTitle>
      <LoadStatus
        resource={{ data, fault, reload }}
        what="the people"
        count={3}
      />
      {data && (
        <ul class="card lines">
          {data.map((person) => (
            <PersonRow person={person} onChange={reload} key={person.id} />
          ))}
        </ul>
      )}
      {isInviting && (
        <InvitePerson onInvited={reload} onClose={() => setInviting(false)} />
      )}
    </>
  );
}

interface PersonRowProps {
  person: PersonInfo;
  onChange: () => Promise<void>;
}

function PersonRow({ person, onChange }: PersonRowProps) {
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
      <span class="badge">{getRoleName(role)}</span>
      <span class="muted small joined">Since {dayOf(joinedAt)}</span>
      <PersonActions person={person} onChange={onChange} />
    </li>
  );
}

function PersonActions({ person, onChange }: PersonRowProps) {
  const { id, name } = person;
  const [openDialog, setOpenDialog] = useState<"role" | "remove" | null>(null);
  const [link, setLink] = useState<PersonLink | null>(null);
  const close = () => setOpenDialog(null);
  const newLink = async () =>
    setLink(await ask<PersonLink>(`people/${id}/link`, "POST"));
  const actions: MenuAction[] = [
    {
      words: "Change role",
      icon: "people",
      onPress: () => setOpenDialog("role"),
    },
    { words: "New sign-in link", icon: "key", onPress: newLink },
    {
      words: "Remove",
      icon: "trash",
      isGrave: true,
      onPress: () => setOpenDialog("remove"),
    },
  ];
  return (
    <>
      <ActionMenu label={`Actions for ${name}`} isQuiet actions={actions} />
      {openDialog === "role" && (
        <ChangeRole person={person} onChanged={onChange} onClose={close} />
      )}
      {openDialog === "remove" && (
        <RemovePerson person={person} onChange={onChange} onClose={close} />
      )}
      {link && (
        <SignInLinkDialog
          name={name}
          link={link}
          onClose={() => setLink(null)}
        />
      )}
    </>
  );
}

interface RemovePersonProps extends PersonRowProps {
  onClose: () => void;
}

function RemovePerson({ person, onChange, onClose }: RemovePersonProps) {
  const { id, name } = person;
  const remove = async () => {
    const { keys } = await ask<{ keys: number }>(`people/${id}`, "DELETE");
    toast(
      keys === 0
        ? `${name} was removed.`
        : `${name} was removed. ${countOf(keys, "API key")} created by them still work.`,
    );
    await onChange();
  };
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      act="Remove"
      onAct={remove}
      onClose={onClose}
    >
      <p>
        {name} is signed out immediately and can only return with a new
        invitation. Their templates and documents are kept.
      </p>
    </ConfirmDialog>
  );
}

interface ChangeRoleProps {
  person: PersonInfo;
  onChanged: () => Promise<void>;
  onClose: () => void;
}

/** Changes a person's role, which ends their sessions. */
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
            ? "You will be signed out. Sign in again to use the new role."
            : "They will be signed out. They sign in again to use the new role."}
        </p>
        <FormActions
          act="Change role"
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

function RoleChoice({ value, onChoose }: RoleChoiceProps) {
  return (
    <fieldset class="roles">
      <legend class="label">Role</legend>
      {roles.map(([role, name, words]) => (
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

const roles: readonly (readonly [role: AppRole, name: string, may: string])[] =
  [
    [
      "viewer",
      "Viewer",
      "Can view everything except API keys, people and the audit log.",
    ],
    ["editor", "Editor", "Can also change templates and create documents."],
    [
      "owner",
      "Owner",
      "Full access, including people, connections, webhooks and API keys.",
    ],
  ];

function getRoleName(role: AppRole): string {
  return roles.find(([one]) => one === role)?.[1] ?? role;
}

interface InvitePersonProps {
  onInvited: () => Promise<void>;
  onClose: () => void;
}

/** Adds a person and shows their sign-in link. */
function InvitePerson({ onInvited, onClose }: InvitePersonProps) {
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<AppRole>("editor");
  const [link, setLink] = useState<PersonLink | null>(null);
  const { isBusy, fault, run } = useAction(async () => {
    const body = { name, email, role };
    setLink(await ask<PersonLink>("people", "POST", body));
    await onInvited();
  });
  // The result is shown only once, so the dialog stays open while the request runs.
  const close = () => {
    if (!isBusy) onClose();
  };
  if (link)
    return <SignInLinkDialog name={name} link={link} onClose={onClose} />;
  return (
    <Dialog title="Invite someone" onClose={close}>
      <Form onSend={run}>
        <InputField
          label="Name"
          id="person-name"
          required
          maxLength={255}
          autocomplete="off"
          value={name}
          onChange={setName}
        />
        <InputField
          label="Email address"
          id="person-email"
          type="email"
          required
          maxLength={255}
          autocomplete="off"
          value={email}
          onChange={setEmail}
        />
        <RoleChoice value={role} onChoose={setRole} />
        <FormActions
          act="Invite"
          fault={fault}
          isBusy={isBusy}
          onCancel={close}
        />
      </Form>
    </Dialog>
  );
}

interface SignInLinkDialogProps {
  name: string;
  link: PersonLink;
  onClose: () => void;
}

/** Shows a sign-in link, which cannot be read again later. */
function SignInLinkDialog({ name, link, onClose }: SignInLinkDialogProps) {
  const { url, expiresAt, mail } = link;
  return (
    <Dialog title={`Sign-in link for ${name}`} onClose={onClose}>
      <MailStatus link={link} />
      {url !== null && (
        <>
          <p>
            {mail === "sent" ? "Or share" : "Share"} this link only with {name}.
            It works once, expires {momentOf(expiresAt)}, and is not shown
            again.
          </p>
          <code class="command secret">{url}</code>
        </>
      )}
      {url === null && mail !== "sent" && (
        <p>
          {name} belongs to other organizations too, so the link is not shown
          here. They can sign in as usual and switch to your organization in the
          account menu.
        </p>
      )}
      <div class="dialog-end">
        {url !== null && (
          <Button onPress={() => copyText(url, "Link copied.")}>
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

function MailStatus({ link: { mail, expiresAt } }: { link: PersonLink }) {
  if (mail === "off") return null;
  if (mail === "sent")
    return (
      <Notice tone="good" title="The link was sent by email">
        <p>It works once and expires {momentOf(expiresAt)}.</p>
      </Notice>
    );
  return (
    <Notice tone="bad" title="Couldn't email the link">
      <p>The reason is in Platen's log.</p>
    </Notice>
  );
}
