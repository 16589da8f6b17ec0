import type { ComponentType } from "preact";
import { place, Link } from "../router.js";
import { may } from "../session.js";
import { Icon } from "../ui/icon.js";
import { Empty } from "../ui/notice.js";
import { PageTitle } from "../ui/page-title.js";
import { ButtonStep } from "./button-step.js";
import { ConnectStep } from "./connect-step.js";
import { FieldsStep } from "./fields-step.js";
import { FileStep } from "./file-step.js";
import "./rail.css";
import "./sheet.css";
import {
  type Choice,
  choiceIn,
  type Step,
  stepOf,
  stepWords,
  addressOf,
  isOpen,
  STEPS,
} from "./steps.js";
import { TableStep } from "./table-step.js";
import { TemplateStep } from "./template-step.js";
import { TryStep } from "./try-step.js";
import "./wizard.css";

const pages: Record<Step, ComponentType<{ choice: Choice }>> = {
  connect: ConnectStep,
  table: TableStep,
  template: TemplateStep,
  fields: FieldsStep,
  file: FileStep,
  button: ButtonStep,
  try: TryStep,
};

/** From somebody's table to a button in it, a step a page. What was chosen stands in the address. */
export function WizardPage({ id }: { id: string }) {
  const choice = choiceIn(place.value.searchParams);
  const step = stepOf(id, choice);
  const Page = pages[step];
  const { title, lead } = stepWords[step];
  if (!may("editor")) return <NotForViewers />;
  return (
    <div class="wizard">
      <Rail step={step} choice={choice} />
      <PageTitle title={title} lead={lead} />
      <Page choice={choice} key={step} />
    </div>
  );
}

function NotForViewers() {
  return (
    <>
      <PageTitle title="Connect a spreadsheet" />
      <Empty icon="table" title="Editors can do this">
        <p>
          You may look at everything here. Ask an owner for the role editor.
        </p>
      </Empty>
    </>
  );
}

interface RailProps {
  step: Step;
  choice: Choice;
}

/** All steps: those that can be gone to are links. On a phone, how far it is. */
function Rail({ step, choice }: RailProps) {
  const here = STEPS.indexOf(step);
  return (
    <nav class="rail" aria-label="Steps">
      <p class="rail-short small muted">
        Step {here + 1} of {STEPS.length}
      </p>
      <ol>
        {STEPS.map((one, at) => (
          <li
            key={one}
            class={at === here ? "here" : at < here ? "done" : undefined}
          >
            <RailEntry {...{ one, at, here, choice }} />
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface RailEntryProps {
  one: Step;
  at: number;
  here: number;
  choice: Choice;
}

function RailEntry({ one, at, here, choice }: RailEntryProps) {
  const words = (
    <>
      <span class="rail-mark" aria-hidden="true">
        {at < here ? <Icon name="check" size={16} /> : at + 1}
      </span>
      <span class="rail-words">{stepWords[one].short}</span>
    </>
  );
  if (at === here)
    return (
      <span class="rail-entry" aria-current="step">
        {words}
      </span>
    );
  if (!isOpen(one, choice)) return <span class="rail-entry">{words}</span>;
  return (
    <Link class="rail-entry" to={addressOf(one, choice)}>
      {words}
    </Link>
  );
}
