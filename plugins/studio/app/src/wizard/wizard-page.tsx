import "./wizard.css";
import "./rail.css";
import "./sheet.css";
import type { ComponentType } from "preact";
import { may } from "../me.js";
import { place } from "../router.js";
import { Empty } from "../ui/notice.js";
import { PageTitle } from "../ui/page-title.js";
import { type Choice, choiceIn } from "./choice.js";
import { Rail } from "./rail.js";
import { type Step, stepOf, stepWords } from "./steps.js";
import { ButtonStep } from "./steps/button-step.js";
import { ConnectStep } from "./steps/connect-step.js";
import { FieldsStep } from "./steps/fields-step.js";
import { FileStep } from "./steps/file-step.js";
import { TableStep } from "./steps/table-step.js";
import { TemplateStep } from "./steps/template-step.js";
import { TryStep } from "./steps/try-step.js";

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
