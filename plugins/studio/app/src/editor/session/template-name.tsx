import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { askPublic, wordsOf } from "../../api.js";
import { toast } from "../../ui/toast.js";
import type { DraftSession } from "./draft-session.js";

const mostLetters = 255;

/** The template's name, which becomes a field when it is pressed. */
export function TemplateName({ session }: { session: DraftSession }) {
  const [isOpen, setOpen] = useState(false);
  const { name } = session.view.value;
  useEffect(() => {
    document.title = `${name} · Platen`;
  }, [name]);
  if (!session.editor.mayEdit) return <h1 class="template-title">{name}</h1>;
  if (isOpen)
    return <NameField session={session} onDone={() => setOpen(false)} />;
  return (
    <h1 class="template-title">
      <button type="button" title="Rename" onClick={() => setOpen(true)}>
        {name}
      </button>
    </h1>
  );
}

interface NameFieldProps {
  session: DraftSession;
  onDone: () => void;
}

function NameField({ session, onDone }: NameFieldProps) {
  const { name } = session.view.peek();
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.select(), []);
  const end = (isKept: boolean) => {
    const typed = field.current?.value.trim() ?? "";
    onDone();
    if (isKept && typed !== "" && typed !== name) void rename(session, typed);
  };
  return (
    <input
      class="input template-name-field"
      ref={field}
      aria-label="Name of the template"
      maxLength={mostLetters}
      defaultValue={name}
      onBlur={() => end(true)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Enter") end(true);
        if (event.key === "Escape") end(false);
      }}
    />
  );
}

async function rename(session: DraftSession, name: string): Promise<void> {
  const before = session.view.peek();
  session.view.value = { ...before, name };
  try {
    await askPublic(`templates/${before.templateId}`, "PATCH", { name });
  } catch (error) {
    session.view.value = { ...session.view.peek(), name: before.name };
    toast(`The name stays as it was: ${wordsOf(error)}`);
  }
}
