import { useComputed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ChangeAuthor } from "../../../../core/accounts/views.js";
import { askPublic, pageOwner, standing } from "../../api.js";
import { endGuide, isGuideOffered, me } from "../../session.js";
import { Button } from "../../ui/button.js";
import { useEditor } from "../model/editor-context.js";
import type { DraftSession } from "./draft-session.js";
import { t } from "../../messages/index.js";
import { rich } from "../../messages/rich.js";

interface SessionProps {
  session: DraftSession;
}

export function SaveErrorNotice({ session }: SessionProps) {
  const why = useComputed(() => {
    const state = session.state.value;
    return state.kind === "failed" ? state.why : null;
  }).value;
  if (why === null) return null;
  // A banner above already explains that the user is signed out.
  if (standing.value !== "good") return <SignedOutNotice session={session} />;
  return (
    <UnsavedNotice
      act={<Button onPress={() => session.flush()}>{t("draft.tryNow")}</Button>}
      what={t("draft.keptUntilSaved", { why })}
    />
  );
}

function SignedOutNotice({ session }: SessionProps) {
  const name = pageOwner.value?.user.name;
  return (
    <UnsavedNotice
      act={
        <Button onPress={() => session.download()}>
          {t("common.saveAsFile")}
        </Button>
      }
      what={
        name === undefined
          ? t("draft.keptUntilYouSignIn")
          : t("draft.keptUntilNameSignsIn", { name })
      }
    />
  );
}

interface UnsavedNoticeProps {
  what: string;
  act: ComponentChildren;
}

function UnsavedNotice({ what, act }: UnsavedNoticeProps) {
  return (
    <div class="editor-notice bad" role="alert">
      <p>
        <strong>{t("draft.lastChangesNotSaved")}</strong> {what}
      </p>
      {act}
    </div>
  );
}

/** Another definition was published since the draft began. */
export function OutdatedNotice({ session }: SessionProps) {
  if (!session.isOutdated.value || !session.editor.mayEdit) return null;
  const { publishedBy } = session.view.value;
  return (
    <StatusNotice
      text={getOutdatedText(publishedBy)}
      name={publishedBy?.name ?? ""}
    >
      <Button onPress={() => session.mergePublished()}>
        {t("draft.merge")}
      </Button>
    </StatusNotice>
  );
}

function getOutdatedText(author: ChangeAuthor | null) {
  if (author?.origin === "rest") return "draft.outdatedByProgram";
  if (author?.origin === "mcp") return "draft.outdatedByAssistant";
  if (author?.origin !== "studio") return "draft.outdatedNotice";
  if (author.userId === me.value?.user.id) return "draft.outdatedByYou";
  return author.name === null ? "draft.outdatedNotice" : "draft.outdatedByName";
}

export function TrashNotice({ session }: SessionProps) {
  const isTrashed = useComputed(() => session.view.value.isTrashed);
  if (!isTrashed.value) return null;
  const restore = async () => {
    await askPublic(`templates/${session.templateId}/restore`, "POST");
    session.view.value = { ...session.view.peek(), isTrashed: false };
  };
  return (
    <StatusNotice text="draft.inTrashNotice">
      {session.editor.mayEdit && (
        <Button onPress={restore}>{t("common.restore")}</Button>
      )}
    </StatusNotice>
  );
}

/** The person's role changed while the template was open. */
export function RoleNotice({ session }: SessionProps) {
  const { mayEdit } = session.editor;
  const [couldEdit] = useState(mayEdit);
  if (mayEdit || !couldEdit) return null;
  return <StatusNotice text="draft.viewerNotice" />;
}

interface StatusNoticeProps {
  text:
    | ReturnType<typeof getOutdatedText>
    | "draft.inTrashNotice"
    | "draft.viewerNotice";
  /** Of the person whom the text names. */
  name?: string;
  children?: ComponentChildren;
}

function StatusNotice({ text, name = "", children }: StatusNoticeProps) {
  return (
    <div class="editor-notice" role="status">
      <p>{rich(text, {}, { name })}</p>
      {children}
    </div>
  );
}

/** Offers the tour of the editor, once per person, where there is room for it. */
export function TourOffer() {
  const editor = useEditor();
  const [isShown, setShown] = useState(
    () =>
      editor.mayEdit &&
      isGuideOffered("tour") &&
      matchMedia("(min-width: 56rem)").matches,
  );
  useEffect(() => {
    // A failure is not shown: the offer only comes once more.
    if (isShown) void endGuide("tour").catch(() => undefined);
  }, []);
  if (!isShown) return null;
  const start = () => {
    setShown(false);
    editor.dialog.value = "tour";
  };
  return (
    <section class="tour-offer" aria-label={t("tour.name")}>
      <p>{t("tour.offer")}</p>
      <span class="row">
        <Button onPress={start}>{t("tour.start")}</Button>
        <Button kind="quiet" onPress={() => setShown(false)}>
          {t("tour.decline")}
        </Button>
      </span>
    </section>
  );
}
