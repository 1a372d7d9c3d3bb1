/**
 * What is shown in the desktop app's window, and by which flows. The window has the page that a browser has; what is another
 * one lies under it: its line to the engine, dialogs, menus, files, windows, and where things are kept. So each thing that
 * the designer does is gone through there once, by a flow or by a spec of the app, and again only where something else lies
 * under it; the rest of a spec says nothing there that it doesn't say in a browser.
 */

/** One thing that the designer does. */
export interface ShownInWindow {
  readonly thing: string
  /** Tests of `browser/` that are played in the window too: the start of their titles, by spec. */
  readonly flows: Readonly<Record<string, readonly string[]>>
  /** Specs of `desktop/` that go through it, too. */
  readonly desktop: readonly string[]
}

const drawing: readonly ShownInWindow[] = [
  {
    thing: 'The first five minutes',
    flows: { samples: ['each opens and runs at once'] },
    desktop: ['app', 'packaged'],
  },
  {
    thing: 'The canvas: menus, keys of one’s own',
    flows: { canvas: ['the other button opens a menu'] },
    desktop: ['app'],
  },
  {
    thing: 'Drawing, with the clipboard and by keys alone, and work that isn’t saved',
    flows: { editing: ['nodes are copied as JSON text'] },
    desktop: ['app'],
  },
  {
    thing: 'Layout and frames',
    flows: { layout: ['tidying goes around a card that was placed by hand'] },
    desktop: [],
  },
  { thing: 'Steps as a list', flows: { list: ['steps are walked, renamed'] }, desktop: [] },
  {
    thing: 'Steps that become a workflow',
    flows: { extract: ['steps become a workflow of their own'] },
    desktop: [],
  },
]

const documents: readonly ShownInWindow[] = [
  { thing: 'Tabs and windows', flows: {}, desktop: ['app', 'windows'] },
  {
    thing: 'States with names, and how they differ',
    flows: { history: ['a state is named, changed, compared'] },
    desktop: [],
  },
  { thing: 'Changes on the disk', flows: { disk: ['a file changed outside is merged'] }, desktop: ['shell'] },
  {
    thing: 'Publishing',
    flows: {},
    desktop: ['triggers'],
  },
  {
    thing: 'Code, files and pictures',
    flows: {
      code: ['canvas and code follow each other'],
      drop: ['a picture (png) that is dropped'],
    },
    desktop: [],
  },
  {
    thing: 'Secrets in what leaves',
    flows: { 'export-secrets': ['secrets in fields are named'] },
    desktop: ['secrets'],
  },
  {
    thing: 'Trust in what comes from elsewhere',
    flows: {},
    desktop: ['shell'],
  },
]

const steps: readonly ShownInWindow[] = [
  {
    thing: 'Values that go into fields',
    flows: { 'step-data': ['values go from their tree into fields'] },
    desktop: [],
  },
  {
    thing: 'Inputs and mocks',
    flows: { 'run-on-mocks': ['a workflow is run on mocks'] },
    desktop: [],
  },
  {
    thing: 'Breakpoints, forks, steps alone',
    flows: {},
    desktop: ['instruments'],
  },
  {
    thing: 'Settings of steps',
    flows: { 'step-settings': ['a step takes over what it gave'] },
    desktop: [],
  },
  {
    thing: 'Steps of the catalogue, and programs that they start',
    flows: { durability: ['cancelling a run ends the program'] },
    desktop: ['shell'],
  },
  {
    thing: 'Tasks of one’s own, in files',
    flows: { 'custom-tasks': ['a task file gives a kind at once'] },
    desktop: [],
  },
  {
    thing: 'Steps that become tasks, and their versions',
    flows: { 'save-task': ['a step is saved as a task, used at once'] },
    desktop: [],
  },
]

const runs: readonly ShownInWindow[] = [
  {
    thing: 'A run that is seen live, and why it waits',
    flows: {},
    desktop: ['instruments', 'app'],
  },
  { thing: 'The timeline, and links to a moment', flows: {}, desktop: ['instruments', 'windows'] },
  {
    thing: 'The crash button',
    flows: { crash: ['the worker of a run dies after its effect'] },
    desktop: [],
  },
  { thing: 'Two runs side by side, a value’s way, the last runs', flows: {}, desktop: ['instruments'] },
  {
    thing: 'A run in a window of its own',
    flows: { aside: ['the data of a step is in one window'] },
    desktop: [],
  },
  {
    thing: 'Runs that are taken back',
    flows: { rewind: ['a run that fails is taken back edge by edge'] },
    desktop: [],
  },
  {
    thing: 'Families of runs',
    flows: { family: ['runs that started each other are one tree'] },
    desktop: [],
  },
  { thing: 'Many runs at once, the log, the lanes', flows: {}, desktop: ['instruments'] },
  { thing: 'Runs that are kept as tests', flows: {}, desktop: ['instruments', 'app'] },
]

const people: readonly ShownInWindow[] = [
  {
    thing: 'Decisions',
    flows: {},
    desktop: ['notices'],
  },
  {
    thing: 'Dead letters',
    flows: { 'dead-letters': ['a failed step becomes a dead letter'] },
    desktop: [],
  },
  {
    thing: 'What is steered: runs, pools',
    flows: { control: ['a run is paused, resumed, and a step of it skipped'] },
    desktop: [],
  },
  {
    thing: 'Triggers, and what came of them',
    flows: {},
    desktop: ['triggers'],
  },
]

/** All of them. */
export const shownInWindow: readonly ShownInWindow[] = [
  ...drawing,
  ...documents,
  ...steps,
  ...runs,
  ...people,
]

/** A spec of `browser/`, and how the title of a test of it begins. */
export interface WindowFlow {
  readonly spec: string
  readonly title: string
}

/** The tests that are played in the window. */
export const windowFlows: readonly WindowFlow[] = shownInWindow.flatMap(({ flows }) =>
  Object.entries(flows).flatMap(([spec, titles]) => titles.map((title) => ({ spec, title }))),
)

/** What of a test's whole name is that of a flow: that of its project, its file and its blocks stand before its own. */
export const namesOfWindowFlows: readonly RegExp[] = windowFlows.map(
  ({ spec, title }) => new RegExp(`browser/${spec}\\.e2e\\.ts (on a new canvas )?${escaped(title)}`),
)

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
