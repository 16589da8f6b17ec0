import type { FirstSteps } from "../../../../core/templates/drafts/views.js";
import { useEffect, useState } from "preact/hooks";
import { ask } from "../../api.js";
import { Link } from "../../router.js";
import { endGuide, isGuideOffered } from "../../session.js";
import { useResource } from "../../resource.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { t } from "../../messages/index.js";
import "./first-steps.css";

interface Step {
  name: "template" | "data" | "document" | "connection";
  title: string;
  help: string;
  /** Where it is done. */
  to: (templateId: string | null) => string;
}

const newTemplate = "templates/new";

const steps: readonly Step[] = [
  {
    name: "template",
    title: t("firstSteps.template"),
    help: t("firstSteps.templateHelp"),
    to: () => newTemplate,
  },
  {
    name: "data",
    title: t("firstSteps.data"),
    help: t("firstSteps.dataHelp"),
    to: (id) => (id === null ? newTemplate : `templates/${id}/edit?panel=data`),
  },
  {
    name: "document",
    title: t("firstSteps.document"),
    help: t("firstSteps.documentHelp"),
    to: (id) => (id === null ? newTemplate : `templates/${id}`),
  },
  {
    name: "connection",
    title: t("firstSteps.connection"),
    help: t("firstSteps.connectionHelp"),
    to: () => "start",
  },
];

/** Whether some steps were open in this tab: only then are all of them shown as done. */
let wereOpen = false;

/** What a person does first, ticked by what they have created. Hidden ones never come back. */
export function FirstStepsCard() {
  const [isOffered, setOffered] = useState(() => isGuideOffered("first-steps"));
  return isOffered ? <OpenCard onHide={() => setOffered(false)} /> : null;
}

function OpenCard({ onHide }: { onHide: () => void }) {
  // An error is not shown: the steps lead on without their ticks.
  const { data } = useResource("", () => ask<FirstSteps>("me/first-steps"));
  const done = data ? steps.filter(({ name }) => data[name]).length : 0;
  const isDone = done === steps.length;
  if (data && !isDone) wereOpen = true;
  useEffect(() => {
    if (isDone) void endGuide("first-steps").catch(() => undefined);
  }, [isDone]);
  // While they load, they take their place, so that the page below stays where it is.
  if (isDone && !wereOpen) return null;
  const hide = async () => {
    await endGuide("first-steps");
    onHide();
  };
  return (
    <section class="card first-steps" aria-labelledby="first-steps">
      <div class="first-steps-head">
        <h2 id="first-steps">
          {isDone ? t("firstSteps.allDone") : t("firstSteps.title")}
        </h2>
        <p class="muted">
          {isDone ? t("firstSteps.allDoneHelp") : t("firstSteps.lead")}{" "}
          {isDone && <a href="../docs/">{t("firstSteps.readDocs")}</a>}
        </p>
        {data && (
          <span class="badge" role="status">
            {t("firstSteps.progress", { done, total: steps.length })}
          </span>
        )}
        <Button kind="quiet" label={t("firstSteps.hideAll")} onPress={hide}>
          {t("common.hide")}
        </Button>
      </div>
      <ol>
        {steps.map((step, index) => (
          <StepItem
            key={step.name}
            step={step}
            number={index + 1}
            isDone={data?.[step.name] === true}
            templateId={data?.templateId ?? null}
          />
        ))}
      </ol>
    </section>
  );
}

interface StepItemProps {
  step: Step;
  number: number;
  isDone: boolean;
  templateId: string | null;
}

function StepItem({ step, number, isDone, templateId }: StepItemProps) {
  return (
    <li class={isDone ? "done" : ""}>
      <span class="first-step-mark" aria-hidden="true">
        {isDone ? <Icon name="check" size={14} /> : number}
      </span>
      <Link to={step.to(templateId)}>
        {step.title}
        {isDone && <span class="hidden-text"> {t("firstSteps.done")}</span>}
      </Link>
      <span class="muted small">{step.help}</span>
    </li>
  );
}
