import { useSignal } from "@preact/signals";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import type { DraftSession } from "./draft-session.js";
import type { Conflict, Side } from "./join/join.js";
import type { Question } from "./meeting.js";
import { SideChoice } from "./side-choice.js";

/** Asks, of what both have changed, whose is to stay. Everything else is joined already. */
export function QuestionDialog({ session }: { session: DraftSession }) {
  const question = session.question.value;
  if (!question) return null;
  return (
    <Choosing
      session={session}
      question={question}
      key={question.view.revision}
    />
  );
}

interface ChoosingProps {
  session: DraftSession;
  question: Question;
}

function Choosing({ session, question }: ChoosingProps) {
  const chosen = useSignal<Readonly<Record<string, Side>>>({});
  const { conflicts } = question;
  const them = whoOf(question);
  const sideOf = ({ key }: Conflict): Side => chosen.value[key] ?? "mine";
  return (
    <Dialog
      title={`${them} and you changed the same`}
      // It stays until somebody chose: closing it would choose unsaid.
      onClose={() => undefined}
    >
      <p class="muted">
        All other changes are joined already. Choose what stays here:
      </p>
      <div class="side-list">
        {conflicts.map((conflict) => (
          <SideChoice
            key={conflict.key}
            conflict={conflict}
            them={them}
            definitions={[session.editor.definition.value, question.theirs]}
            side={sideOf(conflict)}
            onChoose={(side) => {
              chosen.value = { ...chosen.value, [conflict.key]: side };
            }}
          />
        ))}
      </div>
      <Answers session={session} count={conflicts.length} sideOf={sideOf} />
    </Dialog>
  );
}

interface AnswersProps {
  session: DraftSession;
  /** Of what has to be chosen. */
  count: number;
  sideOf: (conflict: Conflict) => Side;
}

function Answers({ session, count, sideOf }: AnswersProps) {
  return (
    <div class="dialog-end">
      {count > 1 && (
        <>
          <Button onPress={() => session.answer(() => "theirs")}>
            Take all of theirs
          </Button>
          <Button onPress={() => session.answer(() => "mine")}>
            Keep all of mine
          </Button>
        </>
      )}
      <Button kind="primary" onPress={() => session.answer(sideOf)}>
        Join
      </Button>
    </div>
  );
}

function whoOf({ with: what, view }: Question): string {
  if (what === "published") return "What was published";
  return view.savedBy ?? "Someone";
}
