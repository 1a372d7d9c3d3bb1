/** What the files of workflows are called. All hold the same JSON; the app's own ending is what systems tie to it. */

/** The ending that new files get first. */
export const workflowFileEndings = ['.json', '.sagasmith'] as const

/** The ending of the file of a workflow's tests, which lies beside the workflow's own. */
const testsEnding = '.tests.json'

/** Whether a file of that name may hold a workflow; `.json` files may hold other things too. */
export const isWorkflowFileName = (name: string): boolean =>
  !name.endsWith(testsEnding) &&
  workflowFileEndings.some((ending) => name.length > ending.length && name.endsWith(ending))

/** The name with the usual ending, unless it has one. */
export const asWorkflowFileName = (name: string): string =>
  isWorkflowFileName(name) ? name : `${name}${workflowFileEndings[0]}`

/** The name without its ending. */
export function withoutWorkflowEnding(name: string): string {
  const ending = workflowFileEndings.find((known) => name.endsWith(known))
  return ending === undefined ? name : name.slice(0, -ending.length)
}

/** The file of a workflow file's tests: `orders.tests.json` beside `orders.json`. */
export const testsPathOf = (path: string): string => `${withoutWorkflowEnding(path)}${testsEnding}`
