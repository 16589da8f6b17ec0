import { expect } from "chai";
import { describe, it } from "mocha";
import type { ProjectData, Text } from "../../../core/plugin-api/definition.js";
import { eventually } from "../../support/eventually.js";
import {
  firstText,
  openTemplate,
  typeAt,
  useJourneys,
} from "../../support/journeys.js";
import { useService } from "../../support/service.js";

const definition: ProjectData = {
  schema: [{ id: "root", fields: [{ name: "customer", type: "String" }] }],
  components: [{ type: "text", id: "one", text: "Dear all" }],
  sample: { customer: "Ada & Sons" },
};

const prose = [
  `Dear Ms. O'Neill,`,
  `we deliver and/or install 12 x 3 = 36 shelves ("oak"), 50% off; {ask} us.`,
  `Größe: 2,5 m². Straße 7 / Hof 3. \\n and {{ stay as typed.`,
];

describe("a user who types fast", () => {
  const service = useService();
  const signIn = useJourneys(service);

  it("keeps every letter, whatever happens meanwhile", async () => {
    const session = await signIn("editor");
    const { page } = session;
    const { keyboard } = page;
    await openTemplate(session, definition);
    const textIs = (wanted: Text) =>
      eventually(
        async () =>
          JSON.stringify(await firstText(page)) === JSON.stringify(wanted),
      );
    const press = async (...all: string[]) => {
      for (const one of all) await keyboard.press(one);
    };
    await typeAt(page, "Dear all");
    await press("Control+A");
    for (const line of prose) {
      await keyboard.type(line);
      await press("Enter");
    }
    const written = `${prose.join("\n")}\n`.replace("{{ stay", "\\{{ stay");
    await textIs(written);
    // A variable amid the words, made bold with its neighbours.
    await keyboard.type("Yours, /customer");
    await press("Enter");
    await keyboard.type("!");
    const signed = `${written}Yours, {{ root.customer }}!`;
    await textIs(signed);
    await press("Shift+Home", "Control+B");
    await textIs([
      written,
      { text: "Yours, {{ root.customer }}!", marks: ["bold"] },
    ]);
    await press("Control+Z");
    await textIs(signed);
    await press("ArrowRight", "Control+B");
    await keyboard.type("bold");
    await press("Control+B");
    await keyboard.type("plain");
    await textIs([signed, { text: "bold", marks: ["bold"] }, "plain"]);
    // All of it is cut, something else is typed, and it is put behind that.
    await press("Control+A", "Control+X");
    await keyboard.type("New: ");
    await textIs("New: ");
    await press("Control+V");
    await textIs([
      `New: ${signed}`,
      { text: "bold", marks: ["bold"] },
      "plain",
    ]);
    await press("Control+Z", "Control+Z", "Control+Z");
    await textIs([signed, { text: "bold", marks: ["bold"] }, "plain"]);
    await press("Control+Y", "Control+Shift+Z", "Control+Y", "Escape");
    await textIs([
      `New: ${signed}`,
      { text: "bold", marks: ["bold"] },
      "plain",
    ]);
    expect(await firstText(page)).to.be.an("array");
  });
});
