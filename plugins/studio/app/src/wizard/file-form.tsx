import { Choices } from "../ui/choices.js";

const ofDocuments = [
  ["pdf", "PDF"],
  ["image", "Picture of the first page"],
  ["html", "Web page (HTML)"],
] as const;
const ofEmails = [
  ["html", "Web page (HTML)"],
  ["mjml", "MJML"],
  ["pdf", "PDF"],
  ["image", "Picture"],
] as const;

interface FormatChoiceProps {
  templateType: "document" | "email";
  formats: readonly string[];
  onChange: (formats: string[]) => void;
}

export function FormatChoice(props: FormatChoiceProps) {
  const { templateType, formats, onChange } = props;
  const all = templateType === "email" ? ofEmails : ofDocuments;
  const turn = (one: string) =>
    onChange(
      formats.includes(one)
        ? formats.filter((format) => format !== one)
        : [...formats, one],
    );
  return (
    <fieldset class="checks">
      <legend class="label">Kind of file</legend>
      {all.map(([one, words]) => (
        <label class="check" key={one}>
          <input
            type="checkbox"
            checked={formats.includes(one)}
            onChange={() => turn(one)}
          />
          {words}
        </label>
      ))}
    </fieldset>
  );
}

const modeWords: Record<string, string> = {
  append: "Keep them",
  replace: "Replace them",
};

interface ModeChoiceProps {
  modes: readonly string[];
  mode: string;
  onChoose: (mode: string) => void;
}

/** What becomes of the files that the field holds already. */
export function ModeChoice({ modes, mode, onChoose }: ModeChoiceProps) {
  if (modes.length < 2) return null;
  return (
    <div class="field">
      <span class="label">Files that are there already</span>
      <Choices
        legend="Files that are there already"
        options={modes.map((one) => [one, modeWords[one] ?? one] as const)}
        value={mode}
        onChoose={onChoose}
      />
    </div>
  );
}
