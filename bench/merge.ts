import type * as compilerModule from "../core/compiler/index.js";
import type * as computeModule from "../core/compute/index.js";
import type * as documentsModule from "../core/documents/index.js";
import type * as templatesModule from "../core/templates/index.js";
import { readHtmlInvoice } from "./html-invoice.js";
import { Measurement, rounded } from "./measurement.js";
import { isWanted, options } from "./options.js";
import { loadCarbone } from "./peers.js";
import { report } from "./report.js";
import type { BenchResult, Scenario } from "./scenario.js";

// Measures what happens before a browser is asked: merging, compiling, keeping programs. `npm run bench` runs it in a
// process of its own; alone it is
//
//   node --import tsx bench/merge.ts [--json] [--only NAME,NAME]

const WARM_UP = 200;
const TIMES: Readonly<Record<string, number>> = {
  "check-invoice": 100_000,
  "compile-largest": 500,
  "compile-html": 500,
  carbone: 3000,
};
const TIMES_OTHERWISE = 10_000;

/** Of the program cache: ten thousand versions are far more than it holds. */
const CACHE_BYTES = 128 * 1024 * 1024;

const all = await mergeScenarios();
const measured: BenchResult[] = [];
for (const scenario of all.filter(({ name }) => isWanted(name))) {
  await new Measurement(scenario).round(WARM_UP);
  const measurement = new Measurement(scenario);
  await measurement.round(TIMES[scenario.name] ?? TIMES_OTHERWISE);
  measured.push(measurement.result());
}
const results = measured.map(toShareOfMerge);
process.stdout.write(
  `${options.json ? JSON.stringify({ results }) : report(results)}\n`,
);

type Template = typeof compilerModule & typeof templatesModule;

/** Work of this process alone, done by compiled files, as in the service: `npm run bench` has compiled them. */
async function mergeScenarios(): Promise<Scenario[]> {
  const template: Template = {
    ...(await built("compiler/index.js")),
    ...(await built("templates/index.js")),
  };
  const { ProgramCache }: typeof documentsModule =
    await built("documents/index.js");
  const { Compute }: typeof computeModule = await built("compute/index.js");
  return [
    merging("invoice", template),
    merging("newsletter", template),
    checking("invoice", template),
    compiling(template),
    ...inHtml(template),
    ...(isWanted("carbone") ? [await mergingByCarbone(template)] : []),
    caching(new ProgramCache(CACHE_BYTES, new Compute()), template),
  ];
}

function built(path: string) {
  return import(new URL(`../.cache/tests/core/${path}`, import.meta.url).href);
}

/** Counting the bytes joins the parts into one string, as every user of the html must. */
function merging(id: string, template: Template): Scenario {
  const { definition, templateType } = template.blueprint(id);
  const program = template.compileTemplate(definition, templateType);
  return alone(`merge-${id}`, () => {
    const settings = { isTest: false, now: new Date() };
    Buffer.byteLength(program.merge(definition.sample, settings).html);
  });
}

/** The record of `merge-invoice` by the library, in this process too. */
async function mergingByCarbone({ blueprint }: Template): Promise<Scenario> {
  const merge = await loadCarbone();
  const { sample } = blueprint("invoice").definition;
  return alone("carbone", async () => {
    Buffer.byteLength(await merge(sample));
  });
}

/** The check of the data against the schema, which precedes each merge. */
function checking(id: string, template: Template): Scenario {
  const { definition, templateType } = template.blueprint(id);
  const { checkData } = template.compileTemplate(definition, templateType);
  return alone(`check-${id}`, () => {
    if (checkData(definition.sample).length > 0)
      throw new Error(`the sample of ${id} is invalid`);
  });
}

/** A check takes some µs, so its row tells its share of a merge of the same record instead of times in ms. */
function toShareOfMerge(result: BenchResult): BenchResult {
  const { name, docsPerSecond = Number.NaN } = result;
  if (!name.startsWith("check-")) return result;
  const merge = measured.find(
    (one) => one.name === name.replace("check", "merge"),
  );
  return merge?.docsPerSecond === undefined
    ? { name, docsPerSecond }
    : {
        name,
        docsPerSecond,
        ofMerge: rounded(merge.docsPerSecond / docsPerSecond, 3),
      };
}

/** The blueprint whose definition is the longest, its example record not counted. */
function compiling({ blueprints, compileTemplate }: Template): Scenario {
  const [largest] = blueprints().toSorted(
    (a, b) => getLength(b) - getLength(a),
  );
  if (!largest) throw new Error("there are no blueprints");
  return alone("compile-largest", () => {
    compileTemplate(largest.definition, largest.templateType);
  });
}

/** The invoice in HTML; compiled, it is another version each time, since what was parsed is kept. */
function inHtml({ compileTemplate }: Template): Scenario[] {
  const { definition } = readHtmlInvoice();
  const { components } = definition;
  const program = compileTemplate(definition, "document");
  let version = 0;
  return [
    alone("merge-html", () => {
      const settings = { isTest: false, now: new Date() };
      Buffer.byteLength(program.merge(definition.sample, settings).html);
    }),
    alone("compile-html", () => {
      version += 1;
      const changed = components.map((one) =>
        one.type === "markup"
          ? { ...one, html: `${one.html}<p>${version}</p>` }
          : one,
      );
      compileTemplate({ ...definition, components: changed }, "document");
    }),
  ];
}

function getLength({ definition }: { definition: object }): number {
  return JSON.stringify({ ...definition, sample: null }).length;
}

/** Each time another version of the invoice; the memory tells whether the cache keeps to its bound. */
function caching(
  cache: InstanceType<(typeof documentsModule)["ProgramCache"]>,
  { blueprint }: Template,
): Scenario {
  const { definition, templateType } = blueprint("invoice");
  const text = JSON.stringify(definition);
  let version = 0;
  return alone("program-cache", async () => {
    version += 1;
    const fileName = `Version ${version}`;
    await cache.program(
      {
        definitionHash: fileName,
        templateType,
        definition: async () => ({ ...JSON.parse(text), fileName }),
      },
      { organizationId: "", subject: "The template" },
    );
  });
}

function alone(name: string, work: () => void | Promise<void>): Scenario {
  const runOnce = async () => work();
  return { name, concurrency: 1, roots: [process.pid], runOnce };
}
