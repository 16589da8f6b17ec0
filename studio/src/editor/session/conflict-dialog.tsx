import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { ProjectData } from "../../../../core/plugin-api/definition.js";
import { me } from "../../session.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { buildTree } from "../model/tree.js";
import { TextView } from "../text/text-view.js";
import type { DraftSession, PendingMerge } from "./draft-session.js";
import {
  type Conflict,
  type Side,
  isText,
} from "../model/merge-definitions.js";
import {
  describeComponent,
  describeSchemaProperty,
  describeValue,
} from "./descriptions.js";
import { t } from "../../messages/index.js";

/** Lets the user choose between both values of each conflict. Everything else is already merged. */
export function ConflictDialog({ session }: { session: DraftSession }) {
  const pending = session.pendingMerge.value;
  if (!pending) return null;
  return (
    <ConflictForm
      session={session}
      pending={pending}
      key={pending.view.revision}
    />
  );
}

interface ConflictFormProps {
  session: DraftSession;
  pending: PendingMerge;
}

function ConflictForm({ session, pending }: ConflictFormProps) {
  const chosen = useSignal<Readonly<Record<string, Side>>>({});
  const { conflicts } = pending;
  const them = describeOther(pending);
  const sideOf = ({ key }: Conflict): Side => chosen.value[key] ?? "mine";
  return (
    <Dialog
      title={getTitle(pending)}
      // It cannot be closed without a choice.
      onClose={() => undefined}
    >
      <p class="muted">{t("draft.chooseWhatToKeep")}</p>
      <div class="side-list">
        {conflicts.map((conflict) => (
          <SideChoice
            key={conflict.key}
            conflict={conflict}
            them={them}
            definitions={[session.editor.definition.value, pending.theirs]}
            side={sideOf(conflict)}
            onChoose={(side) => {
              chosen.value = { ...chosen.value, [conflict.key]: side };
            }}
          />
        ))}
      </div>
      <ConflictActions
        session={session}
        count={conflicts.length}
        sideOf={sideOf}
      />
    </Dialog>
  );
}

interface ConflictActionsProps {
  session: DraftSession;
  count: number;
  sideOf: (conflict: Conflict) => Side;
}

function ConflictActions({ session, count, sideOf }: ConflictActionsProps) {
  return (
    <div class="dialog-end">
      {count > 1 && (
        <>
          <Button onPress={() => session.resolveConflicts(() => "theirs")}>
            {t("draft.takeAllOfTheirs")}
          </Button>
          <Button onPress={() => session.resolveConflicts(() => "mine")}>
            {t("draft.keepAllOfMine")}
          </Button>
        </>
      )}
      <Button kind="primary" onPress={() => session.resolveConflicts(sideOf)}>
        {" "}
        {t("draft.merge")}{" "}
      </Button>
    </div>
  );
}

function getTitle({ source, view, conflicts }: PendingMerge): string {
  if (source === "published") return t("draft.conflictWithPublished");
  const areTexts = conflicts.every(
    ({ path, mine, theirs }) => isText(path, mine) && isText(path, theirs),
  );
  if (view.savedById === me.value?.user.id)
    return areTexts
      ? t("draft.ownConflictInText")
      : t("draft.ownConflictInProperties");
  const name = view.savedBy;
  if (name === null)
    return areTexts
      ? t("draft.conflictInTextWithOther")
      : t("draft.conflictInPropertiesWithOther");
  return areTexts
    ? t("draft.conflictInText", { name })
    : t("draft.conflictInProperties", { name });
}

function describeOther({ source, view }: PendingMerge): string {
  if (source === "published") return t("draft.fromPublishedVersion");
  if (view.savedById === me.value?.user.id) return t("draft.fromOtherTab");
  return view.savedBy === null
    ? t("draft.fromOther")
    : t("draft.fromName", { name: view.savedBy });
}

interface SideChoiceProps {
  conflict: Conflict;
  /** Who changed it too, such as "From Ada". */
  them: string;
  /** The definitions that may contain the component. */
  definitions: readonly ProjectData[];
  side: Side;
  onChoose: (side: Side) => void;
}

function SideChoice(props: SideChoiceProps) {
  const { conflict, them, definitions, side, onChoose } = props;
  const { owner, path } = conflict;
  const name = useId();
  const of =
    owner === null ? t("draft.template") : describeOwner(owner, definitions);
  return (
    <fieldset class="side-choice">
      <legend>
        {of} <span class="muted">· {describeSchemaProperty(path)}</span>
      </legend>
      <div class="side-values">
        <SideOption
          {...{ name, side, onChoose }}
          words={t("draft.mine")}
          whose="mine"
          value={<ConflictValue {...props} value={conflict.mine} />}
        />
        <SideOption
          {...{ name, side, onChoose }}
          words={them}
          whose="theirs"
          value={<ConflictValue {...props} value={conflict.theirs} />}
        />
      </div>
      {isText(path, conflict.mine) && isText(path, conflict.theirs) && (
        <SideOption
          {...{ name, side, onChoose }}
          words={t("draft.both")}
          whose="both"
          value={t("draft.bothTextsMineFirst")}
        />
      )}
    </fieldset>
  );
}

interface SideOptionProps extends Pick<SideChoiceProps, "side" | "onChoose"> {
  /** Groups the radio buttons. */
  name: string;
  words: string;
  whose: Side;
  value: ComponentChildren;
}

function SideOption({
  name,
  words,
  whose,
  value,
  side,
  onChoose,
}: SideOptionProps) {
  const id = useId();
  return (
    <label class="side-value" for={id}>
      <input
        id={id}
        type="radio"
        name={name}
        checked={side === whose}
        onChange={() => onChoose(whose)}
      />
      <span class="words">
        <span class="muted small">{words}</span>
        <span>{value}</span>
      </span>
    </label>
  );
}

/** A text as the page shows it; any other value in words. */
function ConflictValue({
  conflict: { owner, path },
  definitions,
  value,
}: SideChoiceProps & { value: unknown }) {
  if (!isText(path, value))
    return <>{describeSide(value, path, definitions)}</>;
  if (value.length === 0) return <>{t("common.nothing")}</>;
  return (
    <span class="side-text">
      <TextView text={value} owner={owner} />
    </span>
  );
}

function describeOwner(
  id: string,
  definitions: readonly ProjectData[],
): string {
  for (const definition of definitions) {
    const entry = buildTree(definition).entries.get(id);
    if (entry) return describeComponent(entry.component);
  }
  return t("draft.component");
}

const regionPlaces: Readonly<Record<string, string>> = {
  header: t("draft.inHeader"),
  footer: t("draft.inFooter"),
  firstHeader: t("draft.inFirstPageHeader"),
  firstFooter: t("draft.inFirstPageFooter"),
};

/** Describes a value; a place by what contains it. */
function describeSide(
  value: unknown,
  path: readonly string[],
  definitions: readonly ProjectData[],
): string {
  if (path[0] !== "place") return describeValue(value);
  const [id = "", slot] = String(value).split("/");
  if (slot === undefined) return regionPlaces[id] ?? t("draft.onPage");
  return t("draft.inOwner", { id: describeOwner(id, definitions) });
}
