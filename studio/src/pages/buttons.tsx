import type { ComponentChildren } from "preact";
import { askPublic } from "../api.js";
import { agoOf, momentOf } from "../format.js";
import { askListPage, type ListPage, useResource } from "../resource.js";
import { Link, place } from "../router.js";
import { may } from "../session.js";
import {
  EntryMenu,
  deleteAction,
  type MenuAction,
  pauseAction,
} from "../ui/action-menu.js";
import { copyText } from "../ui/dialog.js";
import { Icon } from "../ui/icon.js";
import { lazy } from "../ui/loading.js";
import { Empty } from "../ui/notice.js";
import { PageTitle } from "../ui/page-title.js";
import { Badge, pageIn, PagedList } from "../ui/list.js";
import { toast } from "../ui/toast.js";
import { t } from "../messages/index.js";
import { describeRecords } from "../wizard/records-field.js";
import type { TableButton, ButtonRecords } from "./edit-button.js";

/** A page of the buttons that were not deleted. */
function loadButtons(page: number, templateId?: string) {
  const query = new URLSearchParams({
    page: String(page),
    pageSize: "24",
    isRevoked: "false",
    ...(templateId !== undefined && { templateId }),
  });
  return askListPage<TableButton>(`links?${query.toString()}`);
}

export function ButtonsPage() {
  const page = pageIn(place.value.searchParams);
  const buttons = useResource(String(page), () => loadButtons(page));
  return (
    <>
      <PageTitle title={t("shell.buttons")} lead={t("buttons.lead")}>
        {may("editor") && (
          <Link class="button primary" to="start">
            <Icon name="plus" />
            {t("buttons.newButton")}
          </Link>
        )}
      </PageTitle>
      <ButtonList
        resource={buttons}
        empty={
          <Empty icon="button" title={t("buttons.noButtonsYet")}>
            <p>{t("buttons.noButtonsHelp")}</p>
          </Empty>
        }
      />
    </>
  );
}

/** Nothing for a template without buttons. */
export function TemplateButtons({ templateId }: { templateId: string }) {
  const buttons = useResource(templateId, () => loadButtons(1, templateId));
  if (buttons.data?.total === 0) return null;
  return (
    <section class="stack close" aria-labelledby="template-buttons">
      <h2 id="template-buttons">{t("shell.buttons")}</h2>
      <ButtonList resource={buttons} empty={null} isNarrow />
    </section>
  );
}

interface ButtonListProps {
  resource: {
    data: ListPage<TableButton> | null;
    fault: string | null;
    reload: () => Promise<void>;
  };
  empty: ComponentChildren;
  isNarrow?: boolean;
}

function ButtonList({ resource, empty, isNarrow = false }: ButtonListProps) {
  return (
    <PagedList
      resource={resource}
      what={t("buttons.couldntLoadButtons")}
      count={isNarrow ? 1 : 3}
      empty={empty}
    >
      {(button) => (
        <ButtonLine
          button={button}
          isNarrow={isNarrow}
          onChange={resource.reload}
          key={button.id}
        />
      )}
    </PagedList>
  );
}

const stateLabels: Record<TableButton["state"], [tone: string, said: string]> =
  {
    active: ["good", t("buttons.active")],
    paused: ["warn", t("buttons.paused")],
    expired: ["", t("common.expired")],
    revoked: ["", t("buttons.deleted")],
  };

interface ButtonLineProps {
  button: TableButton;
  isNarrow: boolean;
  onChange: () => Promise<void>;
}

function ButtonLine({ button, isNarrow, onChange }: ButtonLineProps) {
  const [tone, said] = stateLabels[button.state];
  const records =
    button.records === null
      ? t("buttons.ofNamedRecords")
      : describeRecords(button.records);
  return (
    <li class="line table-button">
      <div class="words">
        {isNarrow ? (
          <strong>{button.name}</strong>
        ) : (
          <Link class="strong" to={`templates/${button.templateId}`}>
            {button.name}
          </Link>
        )}
        <span class="muted small" title={momentOf(button.createdAt)}>
          {describe(button)}, {records}
          {!isNarrow && `, ${agoOf(button.createdAt)}`}
        </span>
      </div>
      <Badge tone={tone}>{said}</Badge>
      {may("editor") && <ButtonActions button={button} onChange={onChange} />}
    </li>
  );
}

function describe({ tableName: table, attachmentField: field }: TableButton) {
  return field === null
    ? t("buttons.inTable", { table })
    : t("buttons.inTableToField", { table, field });
}

const EditButton = lazy(
  () => import("./edit-button.js"),
  ({ EditButton: dialog }) => dialog,
);

function ButtonActions({
  button,
  onChange,
}: Omit<ButtonLineProps, "isNarrow">) {
  const { id, name, state } = button;
  const at = `links/${id}`;
  const pause = async (isPaused: boolean) => {
    await askPublic(at, "PATCH", { isPaused });
    await onChange();
    toast(
      t(isPaused ? "buttons.nameIsPaused" : "buttons.nameIsActive", { name }),
    );
  };
  const actions: MenuAction[] = [
    {
      words: t("common.edit"),
      icon: "edit",
      dialog: (close) => (
        <EditButton button={button} onChange={onChange} onClose={close} />
      ),
    },
    {
      words: t("buttons.copyFormula"),
      icon: "copy",
      onPress: () => copyFormula(id),
    },
    pauseAction(state === "paused", pause),
    deleteAction(name, t("wizard.turnOffWarning"), async () => {
      await askPublic(at, "DELETE");
      await onChange();
      toast(t("buttons.nameWasDeleted", { name }));
    }),
  ];
  return <EntryMenu name={name} isQuiet actions={actions} />;
}

/** Copies the first formula, or the URL on platforms without formulas. Both contain the secret and are never stored. */
async function copyFormula(id: string): Promise<void> {
  const { url, formulas, records } = await askPublic<{
    url: string;
    formulas: { formula: string }[];
    records: ButtonRecords | null;
  }>(`links/${id}`);
  const [first] = formulas;
  const address = records === null ? `${url}?recordId=` : url;
  await copyText(first?.formula ?? address, t("common.copied"));
}
