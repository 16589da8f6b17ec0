import { useEffect, useState } from "preact/hooks";
import type { OpenedTable } from "../../../core/integrations/platforms/views.js";
import { clock } from "../../../core/lib/clock.js";
import { askPublic, type Schemas } from "../api.js";
import { agoOf, momentOf } from "../format.js";
import { locale, t } from "../messages/index.js";
import { rich } from "../messages/rich.js";
import { askListPage, useResource } from "../resource.js";
import { go, Link, place } from "../router.js";
import { may } from "../session.js";
import {
  EntryMenu,
  deleteAction,
  type MenuAction,
  pauseAction,
} from "../ui/action-menu.js";
import { Button } from "../ui/button.js";
import { copyText, FormDialog } from "../ui/dialog.js";
import { Field, InputField } from "../ui/form.js";
import { Icon } from "../ui/icon.js";
import { Badge, pageIn, PagedList } from "../ui/list.js";
import { LoadStatus } from "../ui/loading.js";
import { Empty, Notice } from "../ui/notice.js";
import { Crumb, PageTitle } from "../ui/page-title.js";
import { LabeledSelect } from "../ui/select.js";
import { noTable, TablePicker, type TablePlace } from "../ui/table-picker.js";
import { toast } from "../ui/toast.js";
import { listFileFields } from "../wizard/file-step.js";
import {
  describeRecords,
  noRecords,
  type RecordsChoice,
  RecordsField,
  toRecords,
} from "../wizard/records-field.js";
import { loadTable } from "../wizard/steps.js";

type When = Schemas["Automation"]["when"];

type Run = Schemas["AutomationRun"];

type Automation = Schemas["Automation"];

export function AutomationsPage() {
  const at = `automations?page=${pageIn(place.value.searchParams)}&pageSize=24`;
  const automations = useResource(at, () => askListPage<Automation>(at));
  const { data, reload } = automations;
  return (
    <>
      <PageTitle title={t("automations.title")} lead={t("automations.lead")}>
        {data && may("editor") && (
          <Button
            kind="primary"
            dialog={(close) => <NewAutomation onClose={close} />}
          >
            <Icon name="plus" />
            {t("automations.new")}
          </Button>
        )}
      </PageTitle>
      <PagedList
        resource={automations}
        what={t("automations.couldntLoad")}
        count={3}
        empty={
          <Empty icon="history" title={t("automations.noneYet")}>
            <p>{t("automations.noneHelp")}</p>
            <ConnectionHint />
          </Empty>
        }
      >
        {(automation) => (
          <li class="line" key={automation.id}>
            <div class="words">
              <Link class="strong" to={`automations/${automation.id}`}>
                {automation.name}
              </Link>
              <span class="muted small">{describeWhen(automation.when)}</span>
              <span class="muted small">{describeNext(automation)}</span>
            </div>
            <div class="row states">
              {automation.lastRun && <RunBadge run={automation.lastRun} />}
              <StateBadge automation={automation} />
            </div>
            <Actions automation={automation} onChange={reload} />
          </li>
        )}
      </PagedList>
    </>
  );
}

/** Nothing if there is a connection that automations can read. */
function ConnectionHint() {
  const { data } = useResource("", () =>
    askListPage("connections?kind=platform&page=1&pageSize=1"),
  );
  return data?.total === 0 ? <ConnectFirst /> : null;
}

function ConnectFirst() {
  return (
    <p>
      {rich("automations.connectFirst", {
        link: (text) => <Link to="connections">{text}</Link>,
      })}
    </p>
  );
}

function StateBadge({ automation: { state } }: { automation: Automation }) {
  return state === "active" ? (
    <Badge tone="good">{t("buttons.active")}</Badge>
  ) : (
    <Badge tone="warn">{t("buttons.paused")}</Badge>
  );
}

const runLabels: Record<Run["status"], [tone: string, words: string]> = {
  waiting: ["info busy", t("common.waiting")],
  running: ["info busy", t("automations.running")],
  accepted: ["good", t("automations.accepted")],
  empty: ["", t("automations.empty")],
  noted: ["", t("automations.noted")],
  skipped: ["warn", t("automations.skipped")],
  failed: ["bad", t("common.failed")],
};

function RunBadge({ run }: { run: Run }) {
  const [tone, words] = runLabels[run.status];
  return <Badge tone={tone}>{words}</Badge>;
}

function describeNext({ nextRuns: [next] }: Automation): string {
  return next === undefined
    ? t("automations.noNextRun")
    : t("automations.nextRun", { time: momentOf(next) });
}

interface ActionsProps {
  automation: Automation;
  onChange: () => Promise<void>;
}

function Actions({ automation, onChange }: ActionsProps) {
  if (!may("editor")) return null;
  const { id, name, state } = automation;
  const at = `automations/${id}`;
  const pause = async (isPaused: boolean) => {
    await askPublic(at, "PATCH", { isPaused });
    await onChange();
    toast(
      t(isPaused ? "automations.nameIsPaused" : "automations.nameIsActive", {
        name,
      }),
    );
  };
  const remove = async () => {
    await askPublic(at, "DELETE");
    toast(t("automations.nameWasDeleted", { name }));
    if (place.value.pathname.endsWith(id)) go("automations");
    else await onChange();
  };
  const actions: MenuAction[] = [
    {
      words: t("automations.runNow"),
      icon: "next",
      onPress: async () => {
        await askPublic(`${at}/runs`, "POST", {});
        await onChange();
        toast(t("automations.nameWasStarted", { name }));
      },
    },
    {
      words: t("common.edit"),
      icon: "edit",
      dialog: (close) => (
        <EditAutomation
          automation={automation}
          onChange={onChange}
          onClose={close}
        />
      ),
    },
    pauseAction(state === "paused", pause),
    deleteAction(name, t("automations.deleteHelp"), remove),
  ];
  return <EntryMenu name={name} isQuiet actions={actions} />;
}

/** Whether a webhook is being created. */
function isPending(changes: Automation["changes"]): boolean {
  return changes?.via === "poll" && changes.message === null;
}

/** How often a run that has not ended, or a webhook that is being created, is read again. */
const refreshMs = 2000;

export function AutomationPage({ id }: { id: string }) {
  const at = `automations/${id}`;
  const opened = useResource(id, () => askPublic<Automation>(at));
  const page = pageIn(place.value.searchParams);
  const log = `${at}/runs?page=${page}&pageSize=24`;
  const runs = useResource(log, () => askListPage<Run>(log));
  const reload = async () => {
    await Promise.all([opened.reload(), runs.reload()]);
  };
  const { data } = opened;
  const isRunning = runs.data?.data[0]?.endedAt === null;
  const isChanging = isRunning || isPending(data?.changes ?? null);
  useEffect(() => {
    if (!isChanging) return undefined;
    const timer = clock.every(refreshMs, () => void reload());
    return () => timer.cancel();
  }, [isChanging]);
  return (
    <>
      <Crumb to="automations">{t("automations.title")}</Crumb>
      <LoadStatus resource={opened} what={t("automations.couldntLoadOne")} />
      {data && (
        <>
          <PageTitle title={data.name} lead={describeWhen(data.when)}>
            <StateBadge automation={data} />
            <Actions automation={data} onChange={reload} />
          </PageTitle>
          <div class="stack">
            {data.pausedReason !== null && (
              <Notice tone="warn" title={t("automations.pausedByService")}>
                <p>{data.pausedReason}</p>
              </Notice>
            )}
            <section class="card padded stack close">
              <p>
                <Link to={`templates/${data.templateId}`}>
                  {t("automations.openTemplate")}
                </Link>
              </p>
              <p class="muted">
                {data.attachmentField === null
                  ? t("buttons.inTable", { table: data.tableName })
                  : t("buttons.inTableToField", {
                      table: data.tableName,
                      field: data.attachmentField,
                    })}
                , {describeRecords(data.records)}
              </p>
              <p class="muted">{describeNext(data)}</p>
            </section>
            {data.changes && !isPending(data.changes) && (
              <ChangesCard changes={data.changes} />
            )}
            <section class="stack close" aria-labelledby="automation-runs">
              <h2 id="automation-runs">{t("automations.log")}</h2>
              <PagedList
                resource={runs}
                what={t("automations.couldntLoadLog")}
                empty={<p class="muted">{t("automations.noRunsYet")}</p>}
              >
                {(run) => <RunLine run={run} key={run.id} />}
              </PagedList>
            </section>
          </div>
        </>
      )}
    </>
  );
}

/** How the automation learns of changes, and what a person can do when the platform does not report them. */
function ChangesCard({
  changes: { via, message, url },
}: {
  changes: NonNullable<Automation["changes"]>;
}) {
  if (via === "webhook")
    return (
      <section class="card padded row">
        <Badge tone="good">{t("automations.reported")}</Badge>
        <p class="muted">{t("automations.webhookHelp")}</p>
      </section>
    );
  return (
    <section
      class="card padded stack close"
      aria-labelledby="automation-webhook"
    >
      <h2 id="automation-webhook">{t("automations.noWebhook")}</h2>
      <p class="muted">{message}</p>
      {url !== null && may("editor") && (
        <>
          <p class="muted">{t("automations.addressHelp")}</p>
          <div class="row">
            <code class="command secret">{url}</code>
            <Button onPress={() => copyText(url, t("automations.copied"))}>
              <Icon name="copy" />
              {t("common.copy")}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}

function RunLine({ run }: { run: Run }) {
  const { batchId, documentCount, dueAt, message, status } = run;
  const isMade = batchId !== null && documentCount !== null;
  const hasReason = status === "failed" || status === "running";
  return (
    <li class="line">
      <div class="words">
        {isMade ? (
          <Link class="strong" to={`batches/${batchId}`}>
            {t("common.countDocuments", { count: documentCount })}
          </Link>
        ) : (
          hasReason && message !== null && <span>{message}</span>
        )}
        <span class="muted small" title={momentOf(dueAt)}>
          {agoOf(dueAt)}
        </span>
      </div>
      <RunBadge run={run} />
    </li>
  );
}

interface ScheduleForm {
  kind: "day" | "workday" | "week" | "month" | "monthEnd" | "change" | "cron";
  /** Such as `08:00`. */
  time: string;
  /** 0 is Sunday. */
  weekday: string;
  cron: string;
  everyMinutes: string;
  startFrom: "now" | "beginning";
  timeZone: string;
}

const dailyFields: Record<string, ScheduleForm["kind"]> = {
  "* * *": "day",
  "* * 1-5": "workday",
  "1 * *": "month",
  "L * *": "monthEnd",
};

function toScheduleForm(when: When): ScheduleForm {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const form: ScheduleForm = {
    kind: "cron",
    time: "08:00",
    weekday: "1",
    cron: "0 8 * * 1",
    everyMinutes: "5",
    startFrom: "now",
    timeZone,
  };
  if ("everyMinutes" in when) {
    const { startFrom, everyMinutes } = when;
    return {
      ...form,
      kind: "change",
      startFrom,
      everyMinutes: String(everyMinutes),
    };
  }
  const { cron } = when;
  const cronForm = { ...form, cron, timeZone: when.timeZone };
  const [, minute, hour, days = ""] =
    /^(\d{1,2}) (\d{1,2}) (\S+ \S+ \S+)$/.exec(cron) ?? [];
  if (minute === undefined || hour === undefined) return cronForm;
  const time = `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
  const weekday = /^\* \* ([0-6])$/.exec(days)?.[1];
  if (weekday !== undefined)
    return { ...cronForm, kind: "week", time, weekday };
  const kind = dailyFields[days];
  return kind === undefined ? cronForm : { ...cronForm, kind, time };
}

function toWhen(form: ScheduleForm): When {
  const { kind, time, weekday, timeZone, startFrom } = form;
  if (kind === "change")
    return { everyMinutes: Number(form.everyMinutes), startFrom };
  if (kind === "cron") return { cron: form.cron, timeZone };
  const [hour, minute] = time.split(":").map(Number);
  const days =
    kind === "week"
      ? `* * ${weekday}`
      : Object.entries(dailyFields).find(
          ([, dailyKind]) => dailyKind === kind,
        )?.[0];
  return { cron: `${minute} ${hour} ${days}`, timeZone };
}

function nameWeekday(weekday: string): string {
  // The first of August 2027 is a Sunday.
  const day = new Date(Date.UTC(2027, 7, 1 + Number(weekday)));
  const options = { weekday: "long", timeZone: "UTC" } as const;
  return new Intl.DateTimeFormat(locale, options).format(day);
}

function describeWhen(when: When): string {
  const { kind, time, weekday, cron, timeZone, everyMinutes } =
    toScheduleForm(when);
  const words: Record<ScheduleForm["kind"], () => string> = {
    day: () => t("automations.onDays", { time, timeZone }),
    workday: () => t("automations.onWorkdays", { time, timeZone }),
    week: () =>
      t("automations.onWeekday", {
        weekday: nameWeekday(weekday),
        time,
        timeZone,
      }),
    month: () => t("automations.onFirstDay", { time, timeZone }),
    monthEnd: () => t("automations.onLastDay", { time, timeZone }),
    change: () => t("automations.onChange", { count: Number(everyMinutes) }),
    cron: () => t("automations.onCron", { cron, timeZone }),
  };
  return words[kind]();
}

interface ScheduleFieldsProps {
  form: ScheduleForm;
  onChange: (form: ScheduleForm) => void;
}

function ScheduleFields({ form, onChange }: ScheduleFieldsProps) {
  const change = (changes: Partial<ScheduleForm>) =>
    onChange({ ...form, ...changes });
  const { kind } = form;
  return (
    <>
      <LabeledSelect
        label={t("automations.when")}
        value={kind}
        options={[
          ["day", t("automations.everyDay")],
          ["workday", t("automations.everyWorkday")],
          ["week", t("automations.everyWeek")],
          ["month", t("automations.everyFirstDay")],
          ["monthEnd", t("automations.everyLastDay")],
          ["change", t("automations.everyChange")],
          ["cron", t("automations.ownCron")],
        ]}
        onChange={(chosen) => change({ kind: chosen ?? "day" })}
      />
      {kind === "week" && (
        <LabeledSelect
          label={t("automations.weekday")}
          value={form.weekday}
          options={["1", "2", "3", "4", "5", "6", "0"].map((day) => [
            day,
            nameWeekday(day),
          ])}
          onChange={(weekday) => change({ weekday: weekday ?? "1" })}
        />
      )}
      {kind !== "change" && kind !== "cron" && (
        <Field label={t("automations.time")}>
          <input
            class="input"
            type="time"
            required
            value={form.time}
            onInput={({ currentTarget }) =>
              change({ time: currentTarget.value })
            }
          />
        </Field>
      )}
      {kind === "cron" && (
        <InputField
          label={t("automations.cron")}
          hint={t("automations.cronHelp")}
          required
          value={form.cron}
          onChange={(cron) => change({ cron })}
        />
      )}
      {kind === "change" ? (
        <>
          <InputField
            label={t("automations.everyMinutes")}
            hint={t("automations.everyMinutesHelp")}
            required
            pattern="[1-9]\d{0,3}"
            value={form.everyMinutes}
            onChange={(everyMinutes) => change({ everyMinutes })}
          />
          <LabeledSelect
            label={t("automations.existing")}
            value={form.startFrom}
            options={[
              ["now", t("automations.existingLeftOut")],
              ["beginning", t("automations.existingIncluded")],
            ]}
            onChange={(startFrom) => change({ startFrom: startFrom ?? "now" })}
          />
        </>
      ) : (
        <p class="muted small">
          {t("automations.inTimeZone", { timeZone: form.timeZone })}
        </p>
      )}
    </>
  );
}

function EditAutomation({
  automation,
  onChange,
  onClose,
}: ActionsProps & { onClose: () => void }) {
  const [name, setName] = useState(automation.name);
  const [schedule, setSchedule] = useState(() =>
    toScheduleForm(automation.when),
  );
  const send = async () => {
    const when = toWhen(schedule);
    const isOther = JSON.stringify(when) !== JSON.stringify(automation.when);
    await askPublic(`automations/${automation.id}`, "PATCH", {
      name,
      ...(isOther && { when }),
    });
    await onChange();
    onClose();
  };
  return (
    <FormDialog
      title={t("automations.edit")}
      act={t("common.save")}
      onSend={send}
      onClose={onClose}
    >
      <NameField name={name} onChange={setName} />
      <ScheduleFields form={schedule} onChange={setSchedule} />
    </FormDialog>
  );
}

function NameField(props: { name: string; onChange: (name: string) => void }) {
  return (
    <InputField
      label={t("common.name")}
      required
      maxLength={200}
      pattern=".*\S.*"
      value={props.name}
      onChange={props.onChange}
    />
  );
}

interface Source {
  templateId: string;
  place: TablePlace;
  field: string;
  records: RecordsChoice;
}

const noSource: Source = {
  templateId: "",
  place: noTable,
  field: "",
  records: noRecords,
};

function NewAutomation({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [source, setSource] = useState(noSource);
  const [table, setTable] = useState<OpenedTable | null>(null);
  const [schedule, setSchedule] = useState(() =>
    toScheduleForm({
      cron: "0 8 * * *",
      timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    }),
  );
  const templates = useResource("", () =>
    askListPage<{ id: string; name: string }>("templates?page=1&pageSize=100"),
  );
  const change = (changes: Partial<Source>) =>
    setSource((before) => ({ ...before, ...changes }));
  const { place: chosen } = source;
  const send = async () => {
    const { id } = await askPublic<{ id: string }>("automations", "POST", {
      name,
      platform: table?.platform.id ?? "",
      templateId: source.templateId,
      connectionId: chosen.connection,
      ...(chosen.base && { baseId: chosen.base }),
      tableId: chosen.table,
      ...(source.field !== "" && { attachmentField: source.field }),
      records: toRecords(source.records),
      when: toWhen(schedule),
    });
    onClose();
    go(`automations/${id}`);
  };
  return (
    <FormDialog
      title={t("automations.new")}
      act={t("automations.create")}
      onSend={send}
      onClose={onClose}
    >
      <NameField name={name} onChange={setName} />
      <LoadStatus
        resource={templates}
        what={t("templates.couldntLoadTemplates")}
        count={1}
      />
      {templates.data && (
        <LabeledSelect
          label={t("common.template")}
          isRequired
          value={source.templateId}
          options={templates.data.data.map((template) => [
            template.id,
            template.name,
          ])}
          none={t("common.choose")}
          onChange={(templateId = "") => change({ templateId })}
        />
      )}
      <TablePicker
        place={chosen}
        noConnection={<ConnectFirst />}
        onChange={(next) => {
          setTable(null);
          change({ place: next, field: "", records: noRecords });
        }}
      />
      {chosen.table !== null && (
        <RecordFields
          key={JSON.stringify(chosen)}
          source={source}
          onOpen={setTable}
          onChange={change}
        />
      )}
      <ScheduleFields form={schedule} onChange={setSchedule} />
    </FormDialog>
  );
}

interface RecordFieldsProps {
  source: Source;
  onOpen: (table: OpenedTable) => void;
  onChange: (changes: Partial<Source>) => void;
}

function RecordFields(props: RecordFieldsProps) {
  const { source, onOpen, onChange } = props;
  const { connection, base, table: id } = source.place;
  const opened = useResource(`${base} ${id}`, async () => {
    const openedTable = await loadTable({
      connection: connection ?? "",
      base: base ?? "",
      table: id ?? "",
    });
    onOpen(openedTable);
    return openedTable;
  });
  const { data: table } = opened;
  if (!table)
    return (
      <LoadStatus
        resource={opened}
        what={t("buttons.couldntLoadTable")}
        count={1}
      />
    );
  return (
    <>
      <LabeledSelect
        label={t("buttons.savedTo")}
        value={source.field}
        options={listFileFields(table).map(({ name }) => [name, name])}
        none={t("wizard.dontSaveToTable")}
        onChange={(field = "") => {
          const records = { ...source.records, value: "" };
          onChange({ field, records });
        }}
      />
      <RecordsField
        isRequired
        table={table}
        field={table.fields.find(({ name }) => name === source.field)}
        none={t("common.choose")}
        choice={source.records}
        onChange={(records) => onChange({ records })}
      />
    </>
  );
}
