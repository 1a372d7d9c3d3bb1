/** One field: its name, its widget, what an expression in it gives, and what is wrong with it. */

import { RotateCcw } from 'lucide-react'
import type { FocusEvent, RefObject } from 'react'
import { useEffect, useId, useRef } from 'react'
import { nodeId as asNodeId } from '../../src-engine/model/ids.ts'
import type { JsonValue } from '../../src-engine/model/json.ts'
import { useDesigner, useView } from '../state/context.ts'
import { pendingFor } from '../state/field-wish.ts'
import { CodeWords } from '../ui/CodeWords.tsx'
import { ExpressionPreview } from './ExpressionPreview.tsx'
import { FieldOffer } from './FieldOffer.tsx'
import { FieldProblems } from './FieldProblems.tsx'
import { useFieldDrop } from './field-drop.ts'
import type { FieldRowProps } from './form-context.ts'
import { dataNodeOf, isWithin, useForm } from './form-context.ts'
import { useFormParts } from './form-parts.ts'
import styles from './forms.module.css'
import { SecretFixes } from './SecretFixes.tsx'
import { SecretOfField } from './SecretOfField.tsx'
import type { FormField } from './schema-fields.ts'
import { isExpressionText, valueWords } from './schema-fields.ts'

/** Kinds that are a form of their own. */
const containers = ['object', 'union', 'list', 'key-value', 'choices']
/** Those of them that mark the problems of what is in them. */
const marking = ['object', 'union', 'list']
/** Kinds that can be turned into an expression. */
const convertible = ['number', 'duration', 'switch', 'select']

export function FieldRow({ field, value, path, onChange: change }: FieldRowProps) {
  const form = useForm()
  const onChange: FieldRowProps['onChange'] = (next, at) => {
    form.onTouch?.(at)
    change(next, at)
  }
  const { problems, isReadOnly, nodeId } = form
  const { FieldWidget } = useFormParts()
  const designer = useDesigner()
  const id = useId()
  const row = useRef<HTMLDivElement>(null)
  const wish = useView(({ fieldWish }) => pendingFor(fieldWish, (wished) => isWithin(wished, path)))
  useEffect(() => {
    if (wish === null) return
    row.current?.scrollIntoView({ block: 'center' })
    row.current?.querySelector<HTMLElement>('input, textarea, select, [data-writes]')?.focus()
  }, [wish])
  const isAtCursor = useIsAtCursor(field, path, row)
  const drop = useFieldDrop({ field, value, path, onChange }, row)
  const onFocus = ({ target }: FocusEvent): void => {
    if (wish !== null) designer.view.getState().grantField()
    // Rows stand in rows: it is the field of the innermost.
    const owner = dataNodeOf(form, field.kind)
    if (owner !== null && target.closest('[data-field]') === row.current)
      designer.view.getState().focusField({ nodeId: asNodeId(owner), field: path })
  }
  const onBlur = ({ target, relatedTarget }: FocusEvent): void => {
    // Of rows in rows it is the innermost that is left; between the parts of a field nobody leaves it.
    if (target.closest('[data-field]') !== row.current || row.current?.contains(relatedTarget) === true)
      return
    form.onTouch?.(path)
  }
  const own = problems.filter((problem) =>
    marking.includes(field.kind) ? problem.field === path : isWithin(problem.field, path),
  )
  const isExpression = convertible.includes(field.kind) && isExpressionText(value)
  const hasToggle =
    convertible.includes(field.kind) && field.takesExpressions && nodeId !== null && !isReadOnly
  const isInvalid = own.some(({ severity }) => severity === 'error')
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- with the keyboard, values are put here from their tree
    <div
      className={styles['row']}
      ref={row}
      data-kind={field.kind}
      data-testid={`field-${path}`}
      data-field
      data-at-cursor={isAtCursor || undefined}
      onFocus={onFocus}
      onBlur={onBlur}
      {...drop}
    >
      <div className={styles['labelRow']} hidden={field.kind === 'object' && field.title === field.group}>
        <label htmlFor={id} id={`${id}-label`} title={field.description ?? undefined}>
          {field.title}
          {field.isRequired && <i aria-label="required">*</i>}
        </label>
        {!isReadOnly && <Usual field={field} value={value} onReset={() => onChange(undefined, path)} />}
        <FieldOffer path={path} />
        {hasToggle && (
          <button
            type="button"
            className={styles['fx']}
            aria-pressed={isExpression}
            aria-label={`ƒx: use an expression for ${field.title}`}
            title={isExpression ? 'Use a fixed value' : 'Use an expression'}
            onClick={() =>
              onChange(
                isExpression ? undefined : `{{ ${JSON.stringify(value ?? field.defaultValue ?? null)} }}`,
                path,
              )
            }
          >
            ƒx
          </button>
        )}
        <SecretOfField field={field} value={value} path={path} onChange={(text) => onChange(text, path)} />
      </div>
      <FieldWidget
        field={field}
        value={value}
        path={path}
        id={id}
        isInvalid={isInvalid}
        onChange={onChange}
      />
      {shownText(field, value) !== null && (
        <ExpressionPreview
          text={shownText(field, value) ?? ''}
          mode={field.kind === 'expression' ? 'expression' : 'template'}
          sees={field.sees}
          isSaid={isInvalid}
        />
      )}
      <FieldProblems problems={own} />
      <SecretFixes field={field} value={value} path={path} problems={own} />
      {own.length === 0 && <Meaning field={field} value={value} />}
    </div>
  )
}

/** Whether the cursor of the code is at the field: then it comes into view, and the keyboard stays in the code. */
function useIsAtCursor(field: FormField, path: string, row: RefObject<HTMLDivElement | null>): boolean {
  const { nodeId } = useForm()
  const isAtCursor = useView(({ codeField }) => {
    if (codeField === null || codeField.nodeId !== nodeId) return false
    // What is in those has rows of its own.
    return marking.includes(field.kind) ? codeField.field === path : isWithin(codeField.field, path)
  })
  useEffect(() => {
    if (isAtCursor) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isAtCursor, row])
  return isAtCursor
}

/** Whose value counts while the field has none of its own, and the way back to it. */
function Usual(props: {
  readonly field: FormField
  readonly value: JsonValue | undefined
  readonly onReset: () => void
}) {
  const { field, value } = props
  const { onLeave } = useForm()
  const { defaultValue, origin, title, isRequired, kind } = field
  if (value === undefined)
    // Whether a switch is on is seen at a glance.
    return origin === null || kind === 'switch' ? null : <small className={styles['origin']}>{origin}</small>
  const words = defaultValue === undefined || isRequired ? null : valueWords(field, defaultValue)
  if (words === null || containers.includes(kind) || (origin === null && value === defaultValue)) return null
  return (
    <button
      type="button"
      className={styles['reset']}
      aria-label={`Back to ${words} for ${title}`}
      title={`Back to ${words}${origin === null ? '' : ` (${origin})`}`}
      onClick={() => {
        props.onReset()
        onLeave()
      }}
    >
      <RotateCcw size={12} aria-hidden />
    </button>
  )
}

/** What the field is for, and what its choice means. */
function Meaning({ field, value }: Pick<FieldRowProps, 'field' | 'value'>) {
  const counting = value ?? field.defaultValue
  const hint = field.choices.find((choice) => choice.value === counting)?.hint ?? null
  const words = [field.description, hint].filter((text) => text !== null)
  return words.length === 0 ? null : (
    <p className={styles['description']}>
      <CodeWords text={words.join(' ')} />
    </p>
  )
}

/** The text whose value is shown under the field; null when there is nothing to evaluate. */
function shownText(field: FormField, value: JsonValue | undefined): string | null {
  // Those show by themselves what comes of them.
  if (field.schema['mapped'] === true) return null
  if (typeof value !== 'string' || value.trim() === '') return null
  if (field.kind === 'expression') return value
  return field.takesExpressions && value.includes('{{') ? value : null
}
