import { type ComponentChildren, Fragment } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { OpenedTable } from "../../../core/integrations/platforms/views.js";
import type {
  CellContent,
  FieldInfo,
} from "../../../core/plugin-api/platform-plugin.js";
import type { Resource } from "../resource.js";
import { Link } from "../router.js";
import { Button } from "../ui/button.js";
import { Icon, type IconName } from "../ui/icon.js";
import { Skeleton } from "../ui/loading.js";
import { Notice } from "../ui/notice.js";
import {
  getStepPath,
  type Choice,
  type Step,
  stepBefore,
  stepTexts,
} from "./steps.js";
import { t } from "../messages/index.js";

interface StepContentProps<T> {
  resource: Resource<T>;
  /** Title of the error message. */
  what: string;
  /** The step in which the error can be fixed. */
  fixStep: Step;
  choice: Choice;
  children: (data: T) => ComponentChildren;
}

/** Shows a skeleton while the resource is loading, the error if it failed, and the children with its data. */
export function StepContent<T>(props: StepContentProps<T>) {
  const { resource, what, fixStep, choice, children } = props;
  const { data, fault, reload } = resource;
  return (
    <>
      {fault !== null && (
        <StepError
          {...{ what, fixStep, choice }}
          why={fault}
          onRetry={reload}
        />
      )}
      {data === null && fault === null && <Skeleton count={3} />}
      {data !== null && children(data)}
    </>
  );
}

interface StepErrorProps {
  what: string;
  why: string;
  /** The step in which the error can be fixed. */
  fixStep: Step;
  choice: Choice;
  onRetry: () => unknown;
}

/** An error with a button to retry and a link to the step that can fix it. */
export function StepError(props: StepErrorProps) {
  const { what, why, fixStep, choice, onRetry } = props;
  return (
    <Notice tone="bad" title={what}>
      <p>{why}</p>
      <div class="row">
        <Button onPress={onRetry}>{t("common.tryAgain")}</Button>
        <Link class="button" to={getStepPath(fixStep, choice)}>
          {t("wizard.backToShort", { short: stepTexts[fixStep].short })}
        </Link>
      </div>
    </Notice>
  );
}

interface ChoiceRejectedProps {
  title: string;
  why: string;
  choice: Choice;
}

/** A message with a JSON path is not meant for people. */
const forPrograms = /\$\./;

/** The service rejected the choices: shows its message, or general advice if the message is technical. */
export function ChoiceRejected({ title, why, choice }: ChoiceRejectedProps) {
  const isTechnical = forPrograms.test(why);
  return (
    <Notice tone="bad" title={title}>
      {isTechnical ? (
        <>
          <p>{t("wizard.tableChanged")}</p>
          <details class="small">
            <summary>{t("wizard.technicalDetails")}</summary>
            <p>{why}</p>
          </details>
        </>
      ) : (
        <p>{why}</p>
      )}
      <div class="row">
        {(["fields", "file"] satisfies Step[]).map((step) => (
          <Link class="button" to={getStepPath(step, choice)} key={step}>
            {t("wizard.backToShort", { short: stepTexts[step].short })}
          </Link>
        ))}
      </div>
    </Notice>
  );
}

interface StepActionsProps {
  step: Step;
  choice: Choice;
  /** Buttons that continue. */
  children?: ComponentChildren;
}

export function StepActions({ step, choice, children }: StepActionsProps) {
  const before = stepBefore(step);
  return (
    <div class="step-end">
      {before && (
        <Link class="button" to={getStepPath(before, choice)}>
          <Icon name="back" size={16} />
          {t("common.back")}
        </Link>
      )}
      <div class="row">{children}</div>
    </div>
  );
}

interface OptionButtonProps {
  title: string;
  isChosen?: boolean;
  badge?: ComponentChildren;
  children?: ComponentChildren;
  onPick: () => void;
}

/** A choice that leads to the next step. */
export function OptionButton({
  title,
  isChosen,
  badge,
  children,
  onPick,
}: OptionButtonProps) {
  return (
    <button
      type="button"
      class="pick"
      aria-current={isChosen ? "true" : undefined}
      onClick={onPick}
    >
      <span class="words">
        <span class="strong">{title}</span>
        {children}
      </span>
      {badge}
      <Icon name={isChosen ? "check" : "next"} size={16} />
    </button>
  );
}

interface FocusedHeadingProps {
  id: string;
  children: ComponentChildren;
}

/** A heading that takes the focus when it replaces the button that was just pressed. */
export function FocusedHeading({ id, children }: FocusedHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <h2 id={id} tabIndex={-1} ref={heading}>
      {children}
    </h2>
  );
}

interface TableSketchProps {
  table: OpenedTable;
  /** The field that takes the files; its column is empty for any other value. */
  fieldId: string;
  /** The name of the button. */
  button: string;
}

/** A sketch of the table with its button and the field for files, hidden from screen readers. */
export function TableSketch({ table, fieldId, button }: TableSketchProps) {
  const primary = table.fields.find(({ id }) => id === table.primaryFieldId);
  const file = table.fields.find(({ id }) => id === fieldId);
  const name = primary?.name ?? table.fields[0]?.name ?? t("common.name");
  return (
    <figure class="button-picture" aria-hidden="true">
      <div class={`table-sketch ${file ? "" : "narrow"}`}>
        <span class="cell head">{name}</span>
        {file && (
          <span class="cell head chosen">
            <Icon name={getFileIcon(file)} size={14} />
            <span class="words">{file.name}</span>
          </span>
        )}
        <span class="cell head">{t("common.button")}</span>
        {[1, 2].map((row) => (
          <Fragment key={row}>
            <span class="cell">
              <span class={`ink ${row === 1 ? "" : "short"}`} />
            </span>
            {file && (
              <span class="cell chosen">
                {row === 1 && <FileInCell stores={file.stores ?? "file"} />}
              </span>
            )}
            <span class="cell">
              <span class="press">{button}</span>
            </span>
          </Fragment>
        ))}
      </div>
    </figure>
  );
}

/** The icon of a field for files: it stores them, or links to them. */
export function getFileIcon({ stores = "file" }: FieldInfo): IconName {
  return stores === "file" ? "attachment" : "link";
}

function FileInCell({ stores }: { stores: CellContent }) {
  return stores === "file" ? (
    <span class="file-ink">{t("wizard.pdf")}</span>
  ) : (
    <span class="link-ink">{t("common.link")}</span>
  );
}

interface StoredLinkNoticeProps {
  table: OpenedTable;
  fieldId: string;
}

/** What becomes of a file whose field takes a link to it. */
export function StoredLinkNotice({ table, fieldId }: StoredLinkNoticeProps) {
  const field = table.fields.find(({ id }) => id === fieldId);
  const { name = "", stores } = field ?? {};
  if (stores === "link")
    return (
      <Notice title={t("wizard.linkStays")}>
        <p>{t("wizard.linkStaysHelp", { name })}</p>
      </Notice>
    );
  if (stores !== "expiring-link") return null;
  const count = table.linkLifetimeHours;
  return (
    <Notice tone="warn" title={t("wizard.linkExpires", { count })}>
      <p>{t("wizard.linkExpiresHelp", { name })}</p>
    </Notice>
  );
}
