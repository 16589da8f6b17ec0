import type { ComponentType } from "preact";
import { Link, place } from "../router.js";
import { may } from "../session.js";
import { Icon } from "../ui/icon.js";
import { Empty } from "../ui/notice.js";
import { PageTitle } from "../ui/page-title.js";
import { ButtonStep } from "./button-step.js";
import { ConnectStep } from "./connect-step.js";
import { FieldsStep } from "./fields-step.js";
import { FileStep } from "./file-step.js";
import {
  getStepPath,
  type Choice,
  parseChoice,
  isOpen,
  type Step,
  getStep,
  STEPS,
  stepTexts,
} from "./steps.js";
import { TableStep } from "./table-step.js";
import { TemplateStep } from "./template-step.js";
import { TryStep } from "./try-step.js";
import "./wizard.css";
import { t } from "../messages/index.js";

const pages: Record<Step, ComponentType<{ choice: Choice }>> = {
  connect: ConnectStep,
  table: TableStep,
  template: TemplateStep,
  fields: FieldsStep,
  file: FileStep,
  button: ButtonStep,
  try: TryStep,
};

/** Leads from a table to a button in it, one step per page. The choices are kept in the URL. */
export function WizardPage({ id }: { id: string }) {
  const choice = parseChoice(place.value.searchParams);
  const step = getStep(id, choice);
  const Page = pages[step];
  const { title, lead } = stepTexts[step];
  if (!may("editor"))
    return (
      <>
        <PageTitle title={t("shell.connectSpreadsheet")} />
        <Empty icon="table" title={t("wizard.onlyEditorsCanDoThis")}>
          <p>{t("wizard.youHaveReadOnlyAccess")}</p>
        </Empty>
      </>
    );
  return (
    <div class="wizard">
      <StepList step={step} choice={choice} />
      <PageTitle title={title} lead={lead} />
      <Page choice={choice} key={step} />
    </div>
  );
}

interface StepListProps {
  step: Step;
  choice: Choice;
}

/** Only available steps are links. */
function StepList({ step, choice }: StepListProps) {
  const here = STEPS.indexOf(step);
  return (
    <nav class="rail" aria-label={t("wizard.steps")}>
      <p class="rail-short small muted">
        {t("wizard.stepNumberOfLength", {
          number: here + 1,
          length: STEPS.length,
        })}
      </p>
      <ol>
        {STEPS.map((listedStep, at) => (
          <li
            key={listedStep}
            class={at === here ? "here" : at < here ? "done" : undefined}
          >
            <StepListItem {...{ step: listedStep, at, here, choice }} />
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface StepListItemProps {
  step: Step;
  at: number;
  here: number;
  choice: Choice;
}

function StepListItem({ step, at, here, choice }: StepListItemProps) {
  const words = (
    <>
      <span class="rail-mark" aria-hidden="true">
        {at < here ? <Icon name="check" size={16} /> : at + 1}
      </span>
      <span class="rail-words">{stepTexts[step].short}</span>
    </>
  );
  if (at === here)
    return (
      <span class="rail-entry" aria-current="step">
        {words}
      </span>
    );
  if (!isOpen(step, choice)) return <span class="rail-entry">{words}</span>;
  return (
    <Link class="rail-entry" to={getStepPath(step, choice)}>
      {words}
    </Link>
  );
}
