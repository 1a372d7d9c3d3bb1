/** From a place in data to the expression that reads it, and into the texts that hold expressions. Pure. */

/** Names of fields and places in lists, from the root down. */
export type ValuePath = readonly (string | number)[]

const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/
/** JSONata reads these as something other than a name. */
const keywords: ReadonlySet<string> = new Set(['and', 'or', 'in', 'true', 'false', 'null', 'function'])

/** The expression for what stands at `path` under `root`, which is an expression itself: `input`, `nodes.a.output`. */
export function pathExpression(root: string, path: ValuePath): string {
  return path.reduce<string>((from, step) => {
    if (typeof step === 'number') return `${from}[${step}]`
    // A name in backticks can't hold one.
    if (step.includes('`') || step === '') return `$lookup(${from}, ${JSON.stringify(step)})`
    return `${from}.${quotedName(step)}`
  }, root)
}

/** The name as it stands in an expression. */
export const quotedName = (name: string): string =>
  plainName.test(name) && !keywords.has(name) ? name : `\`${name}\``

/** Where the output of a node is found in expressions. */
export const outputOf = (node: string): string => `nodes.${quotedName(node)}.output`

/** The expression as the whole of a text: its value is taken as it is. */
export const inBraces = (expression: string): string => `{{ ${expression} }}`

/** What to put into a text with `{{ }}` at that place: between braces the expression alone, else its own braces. */
export function insertedInTemplate(text: string, at: number, expression: string): string {
  const before = text.slice(0, at)
  // Braces that hold nothing yet are no expression, and still its place.
  return before.lastIndexOf('{{') > before.lastIndexOf('}}') ? expression : inBraces(expression)
}
