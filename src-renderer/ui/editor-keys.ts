/** What keys do in every editor of code: CodeMirror's own, but for those that are commands of the app wherever one is. */

import { defaultKeymap } from '@codemirror/commands'

/** They would put in an empty line, and select what is around, where a person runs the workflow or hides the inspector. */
const ofTheApp = ['Mod-Enter', 'Mod-i']

export const editorKeys = defaultKeymap.filter(({ key }) => key === undefined || !ofTheApp.includes(key))
