/** Completion in the code of a JavaScript step, beside what the code itself names. */

import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { syntaxTree } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorState } from '@codemirror/state'
import { codeNamesAt, secretsHanded } from '../code-names.ts'
import type { CompletionMeans } from '../completion.ts'
import { completionsAt, dataPathAt } from '../completion.ts'

/** What the step is handed, with its types; and fields of its data, as the last run has them. */
export function codeCompletion(means: () => CompletionMeans): Extension {
  const autocomplete = async (context: CompletionContext): Promise<CompletionResult | null> => {
    // Code outside of a step is handed nothing.
    if (means().nodeId === null || isInWords(context)) return null
    const line = context.state.doc.lineAt(context.pos)
    const before = line.text.slice(0, context.pos - line.from)
    const names = codeNamesAt(before, secretsHanded(means()))
    if (names !== null) return { from: line.from + names.from, options: names.options, filter: false }
    return fieldsAt(before, context.pos, means())
  }
  return EditorState.languageData.of(() => [{ autocomplete }])
}

async function fieldsAt(
  before: string,
  pos: number,
  means: CompletionMeans,
): Promise<CompletionResult | null> {
  const path = dataPathAt(before)?.replaceAll('?.', '.') ?? null
  const found = path === null ? null : await completionsAt(path, means)
  if (path === null || found === null) return null
  // Other names are written in brackets there.
  const options = found.options.filter(({ label }) => /^[A-Za-z_$][\w$]*$/.test(label))
  return { from: pos - path.length + found.from, options, filter: false }
}

const words: ReadonlySet<string> = new Set([
  'LineComment',
  'BlockComment',
  'String',
  'TemplateString',
  'RegExp',
])

/** Whether it is a text or a comment; what a text has between `${` and `}` is code again. */
function isInWords({ state, pos }: CompletionContext): boolean {
  for (
    let node: ReturnType<typeof syntaxTree>['topNode'] | null = syntaxTree(state).resolveInner(pos, -1);
    node !== null && node.name !== 'Interpolation';
    node = node.parent
  ) {
    if (words.has(node.name)) return true
  }
  return false
}
