import { useState } from "preact/hooks";
import type {
  PersonInfo,
  PersonLink,
} from "../../../../../../core/plugin-api/app-people.js";
import { ask } from "../../api.js";
import { countOf, dayOf } from "../../format.js";
import { ActionMenu, type MenuAction } from "../../ui/action-menu.js";
import { AskFirst } from "../../ui/ask-first.js";
import { toast } from "../../ui/toast.js";
import { ChangeRole } from "./change-role.js";
import { LinkShown } from "./link-shown.js";
import { roleName } from "./roles.js";

interface PersonLineProps {
  person: PersonInfo;
  onChange: () => Promise<void>;
}

/** Someone, and what an owner does about them. */
export function PersonLine({ person, onChange }: PersonLineProps) {
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
