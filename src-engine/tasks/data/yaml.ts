/** YAML as data: its documents, without tags that make anything but data of them. */

import type { JsonValue } from '../../model/json.ts'
import { yamlCharsMax } from '../../model/limits.ts'
import { checkLength, invalidData, plainData } from './plain-data.ts'
import { refuseDeepYaml, refuseSameKeys } from './yaml-guard.ts'

/** Anchors may repeat what they name this often, altogether: a text that grows without end is a trap. */
const aliasesMax = 100

/** The documents of a text. `linesBefore` are those of its file that stand before it: mistakes are told with their line. */
export async function parsedYaml(text: string, linesBefore = 0): Promise<readonly JsonValue[]> {
  checkLength(text, yamlCharsMax)
  await refuseDeepYaml(text)
  // Loaded with the first YAML text.
  const { parseAllDocuments } = await import('yaml')
  const found = parseAllDocuments(text, {
    schema: 'core',
    version: '1.2',
    // Tags that make something else of a text have no form in JSON.
    resolveKnownTags: false,
    // Looked at below: the parser compares each with all others.
    uniqueKeys: false,
    intAsBigInt: true,
  })
  const documents = Array.isArray(found) ? found : []
  for (const { errors, warnings } of documents) {
    const [first] = [...errors, ...warnings]
    if (first !== undefined) throw invalidData(said(first.message, linesBefore), first)
  }
  for (const document of documents) await refuseSameKeys(document, text, linesBefore)
  return documents.map((document) => {
    try {
      return plainData(document.toJS({ maxAliasCount: aliasesMax }))
    } catch (thrown) {
      if (thrown instanceof ReferenceError) throw invalidData('its anchors repeat too much', thrown)
      throw thrown
    }
  })
}

/** The first line of what the parser says, which shows the text below it. */
function said(message: string, linesBefore: number): string {
  const [first = ''] = message.split('\n')
  return first
    .replace(/:$/, '')
    .replace(/ at line (\d+), column/, (_, line) => ` at line ${Number(line) + linesBefore}, column`)
}
