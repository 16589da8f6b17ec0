import { useState } from "preact/hooks";
import type {
  PersonInfo,
  PersonLink,
  MemberRole,
} from "../../../core/accounts/views.js";
import { InputField } from "../ui/form.js";
import { ask } from "../api.js";
import { dayOf, momentOf } from "../format.js";
import { OwnersOnly, roleNames } from "../session.js";
import { useResource } from "../resource.js";
import { EntryMenu, type MenuAction } from "../ui/action-menu.js";
import { askFirst, copyText, Dialog, FormDialog } from "../ui/dialog.js";
import { LoadStatus } from "../ui/loading.js";
import { Button } from "../ui/button.js";
import { Icon } from "../ui/icon.js";
import { Notice } from "../ui/notice.js";
import { PageTitle } from "../ui/page-title.js";
import { toast } from "../ui/toast.js";
import { t } from "../messages/index.js";

export function PeoplePage() {
  return (
    <OwnersOnly title={t("shell.people")}>
      <PeopleList />
    </OwnersOnly>
  );
}

function PeopleList() {
  const { data, fault, reload } = useResource("", () =>
    ask<PersonInfo[]>("people"),
  );
  return (
    <>
      <PageTitle title={t("shell.people")} lead={t("people.lead")}>
        <Button
          kind="primary"
          dialog={(close) => (
            <InvitePerson onInvited={reload} onClose={close} />
          )}
        >
          <Icon name="plus" />
          {t("people.inviteSomeone")}
        </Button>
      </PageTitle>
      <LoadStatus
        resource={{ data, fault, reload }}
        what={t("people.couldntLoadPeople")}
        count={3}
      />
      {data && (
        <ul class="card lines">
          {data.map((person) => (
            <PersonRow person={person} onChange={reload} key={person.id} />
          ))}
        </ul>
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
          {isYou && <span class="badge you">{t("people.you")}</span>}
        </span>
        <span class="muted small">{email}</span>
      </div>
      <span class="badge">{roleNames[role]}</span>
      <span class="muted small joined">
        {t("people.sinceDate", { date: dayOf(joinedAt) })}
      </span>
      <PersonActions person={person} onChange={onChange} />
    </li>
  );
}

function PersonActions({ person, onChange }: PersonRowProps) {
  const { id, name } = person;
  const [link, setLink] = useState<PersonLink | null>(null);
  const newLink = async () =>
    setLink(await ask<PersonLink>(`people/${id}/link`, "POST"));
  const remove = async () => {
    const { keys } = await ask<{ keys: number }>(`people/${id}`, "DELETE");
    toast(
      keys === 0
        ? t("people.nameWasRemoved", { name })
        : t("people.removedWithKeys", { name, count: keys }),
    );
    await onChange();
  };
  const actions: MenuAction[] = [
    {
      words: t("people.changeRole"),
      icon: "people",
      dialog: (close) => (
        <ChangeRole person={person} onChange={onChange} onClose={close} />
      ),
    },
    { words: t("people.newSignInLink"), icon: "key", onPress: newLink },
    {
      words: t("common.remove"),
      icon: "trash",
      isGrave: true,
      dialog: askFirst({
        title: t("people.removeName", { name }),
        text: t("people.removeWarning", { name }),
        act: t("common.remove"),
        onAct: remove,
      }),
    },
  ];
  return (
    <>
      <EntryMenu name={name} isQuiet actions={actions} />
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

/** The change ends the person's sessions. */
function ChangeRole({
  person,
  onChange,
  onClose,
}: PersonRowProps & { onClose: () => void }) {
  const [role, setRole] = useState(person.role);
  const change = async () => {
    await ask(`people/${person.id}`, "PATCH", { role });
    await onChange();
    onClose();
  };
  return (
    <FormDialog
      title={t("people.roleOfName", { name: person.name })}
      act={t("people.changeRole")}
      onSend={change}
      onClose={onClose}
    >
      <RoleChoice value={role} onChoose={setRole} />
      <p class="muted small">
        {person.isYou
          ? t("people.roleChangeSignsYouOut")
          : t("people.roleChangeSignsThemOut")}
      </p>
    </FormDialog>
  );
}

interface RoleChoiceProps {
  value: MemberRole;
  onChoose: (role: MemberRole) => void;
}

function RoleChoice({ value, onChoose }: RoleChoiceProps) {
  return (
    <fieldset class="roles">
      <legend class="label">{t("common.role")}</legend>
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

const roles: readonly (readonly [
  role: MemberRole,
  name: string,
  may: string,
])[] = [
  ["viewer", roleNames.viewer, t("people.viewerHelp")],
  ["editor", roleNames.editor, t("people.editorHelp")],
  ["owner", roleNames.owner, t("people.ownerHelp")],
];

interface InvitePersonProps {
  onInvited: () => Promise<void>;
  onClose: () => void;
}

/** Adds a person and shows their sign-in link. */
function InvitePerson({ onInvited, onClose }: InvitePersonProps) {
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<MemberRole>("editor");
  const [link, setLink] = useState<PersonLink | null>(null);
  const invite = async () => {
    const body = { name, email, role };
    setLink(await ask<PersonLink>("people", "POST", body));
    await onInvited();
  };
  if (link)
    return <SignInLinkDialog name={name} link={link} onClose={onClose} />;
  return (
    <FormDialog
      title={t("people.inviteSomeone")}
      act={t("people.invite")}
      isKept
      onSend={invite}
      onClose={onClose}
    >
      <InputField
        label={t("common.name")}
        id="person-name"
        required
        maxLength={255}
        autocomplete="off"
        value={name}
        onChange={setName}
      />
      <InputField
        label={t("people.emailAddress")}
        id="person-email"
        type="email"
        required
        maxLength={255}
        autocomplete="off"
        value={email}
        onChange={setEmail}
      />
      <RoleChoice value={role} onChoose={setRole} />
    </FormDialog>
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
  const time = momentOf(expiresAt);
  return (
    <Dialog title={t("people.signInLinkForName", { name })} onClose={onClose}>
      <MailStatus link={link} />
      {url !== null && (
        <>
          <p>
            {mail === "sent"
              ? t("people.orShareLink", { name, time })
              : t("people.shareLink", { name, time })}
          </p>
          <code class="command secret">{url}</code>
        </>
      )}
      {url === null && mail !== "sent" && (
        <p>{t("people.linkNotShown", { name })}</p>
      )}
      <div class="dialog-end">
        {url !== null && (
          <Button onPress={() => copyText(url, t("people.linkCopied"))}>
            <Icon name="copy" />
            {t("people.copyLink")}
          </Button>
        )}
        <Button kind="primary" onPress={onClose}>
          {t("common.done")}
        </Button>
      </div>
    </Dialog>
  );
}

function MailStatus({ link: { mail, expiresAt } }: { link: PersonLink }) {
  if (mail === "off") return null;
  if (mail === "sent")
    return (
      <Notice tone="good" title={t("people.linkWasSentByEmail")}>
        <p>
          {t("people.itWorksOnceAndExpires", { time: momentOf(expiresAt) })}
        </p>
      </Notice>
    );
  return (
    <Notice tone="bad" title={t("people.couldntEmailLink")}>
      <p>{t("people.reasonIsInPlatensLog")}</p>
    </Notice>
  );
}
