/** The editor's look, in the designer's own tokens: they reach into the shadow root. */

import { HighlightStyle } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

export const editorTheme = EditorView.theme({
  '&': { backgroundColor: 'transparent', color: 'var(--text)', fontSize: '12.5px', minHeight: '0' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-code)', lineHeight: '1.6', overflow: 'auto' },
  '.cm-content': { padding: '6px 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 10px' },
  '.cm-cursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
  '.cm-placeholder': { color: 'var(--text-3)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground, ::selection': {
    backgroundColor: 'var(--accent-soft)',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--accent-soft)',
    color: 'inherit',
  },
  '.cm-tooltip': {
    border: '1px solid var(--line-strong)',
    borderRadius: '8px',
    backgroundColor: 'var(--panel)',
    boxShadow: 'var(--shadow-float)',
  },
  // Rounded by itself: what is told of the chosen one stands outside of the list's box.
  '.cm-tooltip-autocomplete ul': { fontFamily: 'var(--font-code)', fontSize: '12px', borderRadius: '7px' },
  '.cm-tooltip-autocomplete ul li': { padding: '3px 10px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--accent-strong)',
    color: 'var(--accent-text)',
  },
  '.cm-completionDetail': { color: 'var(--text-3)', fontStyle: 'normal', marginLeft: '12px' },
  'li[aria-selected] .cm-completionDetail': { color: 'inherit' },
  '.cm-tooltip.cm-completionInfo': {
    padding: '8px 10px',
    maxWidth: '260px',
    color: 'var(--text-2)',
    fontFamily: 'var(--font-ui)',
    fontSize: '12px',
    lineHeight: '1.5',
    whiteSpace: 'normal',
  },
})

export const highlightStyle = HighlightStyle.define([
  {
    tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.bool, tags.null],
    color: 'var(--syntax-word)',
  },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--syntax-text)' },
  { tag: tags.number, color: 'var(--syntax-number)' },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--syntax-key)' },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], color: 'var(--text-3)' },
  { tag: [tags.function(tags.variableName)], color: 'var(--syntax-key)' },
])
