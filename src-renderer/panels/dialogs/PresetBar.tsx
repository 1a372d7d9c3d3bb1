/** What a form may begin with: inputs that were kept under names, and what runs began with lately. */

import { Pencil, Save, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { NamedPreset } from '../../../src-engine/model/input-presets.ts'
import {
  freePresetId,
  inputPresetsMax,
  presetsOf,
  presetTitleLengthMax,
} from '../../../src-engine/model/input-presets.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { canonicalJson } from '../../../src-engine/model/json.ts'
import { keepPreset, removePreset, renamePreset } from '../../commands/presets.ts'
import { useDesigner, useDocument } from '../../state/context.ts'
import type { LastInput } from '../../state/last-inputs.ts'
import { useReadOnly } from '../../state/selectors.ts'
import { fill } from '../../text/messages.ts'
import { presetWords as words } from '../../text/preset-words.ts'
import { Button } from '../../ui/Button.tsx'
import controls from '../../ui/controls.module.css'
import { IconButton } from '../../ui/IconButton.tsx'
import { momentWords } from '../../ui/time-words.ts'
import styles from './Presets.module.css'

interface PresetBarProps {
  /** What the form has now. */
  readonly value: JsonObject
  readonly last: readonly LastInput[]
  readonly onChoose: (value: JsonObject) => void
}

/** What is being named: a new preset, or one that is there. */
type Naming = { readonly kind: 'new' } | { readonly kind: 'rename'; readonly preset: NamedPreset }

export function PresetBar({ value, last, onChoose }: PresetBarProps) {
  const designer = useDesigner()
  const presets = presetsOf(useDocument(({ history }) => history.document))
  const isReadOnly = useReadOnly()
  const [chosen, setChosen] = useState(last.length === 0 ? '' : 'last:0')
  const [naming, setNaming] = useState<Naming | null>(null)
  const { edit } = designer.document.getState()
  const preset = presets.find(({ id }) => `preset:${id}` === chosen) ?? null
  const name = (title: string): void => {
    if (naming?.kind === 'rename') edit(renamePreset(naming.preset.id, title))
    else {
      const id = freePresetId(new Set(presets.map((one) => one.id)), title)
      edit(keepPreset(id, { title, input: value }))
      setChosen(`preset:${id}`)
      designer.view.getState().toast({ tone: 'good', message: fill(words.kept, { title }), hint: null })
    }
    setNaming(null)
  }
  if (naming !== null) {
    const others = presets.filter(({ id }) => naming.kind === 'new' || id !== naming.preset.id)
    const initial = naming.kind === 'new' ? '' : naming.preset.title
    return <PresetName initial={initial} taken={others} onDone={name} onCancel={() => setNaming(null)} />
  }
  if (isReadOnly && presets.length === 0 && last.length < 2) return null
  return (
    <div className={styles['bar']} data-testid="preset-bar">
      <Choice
        {...{ presets, last, chosen }}
        onChoose={(key, input) => {
          setChosen(key)
          onChoose(input)
        }}
      />
      {!isReadOnly && (
        <Actions
          {...{ preset, value }}
          isFull={presets.length >= inputPresetsMax}
          onName={setNaming}
          onRemoved={() => setChosen('')}
        />
      )}
    </div>
  )
}

function Choice({
  presets,
  last,
  chosen,
  onChoose,
}: Pick<PresetBarProps, 'last'> & {
  readonly presets: readonly NamedPreset[]
  readonly chosen: string
  readonly onChoose: (key: string, value: JsonObject) => void
}) {
  const values = new Map([
    ['', {}],
    ...last.map(({ value }, index) => [`last:${index}`, value] as const),
    ...presets.map(({ id, input }) => [`preset:${id}`, input] as const),
  ])
  return (
    <select
      className={controls['field']}
      data-aside
      aria-label={words.choice}
      data-testid="preset-choice"
      value={values.has(chosen) ? chosen : ''}
      onChange={(event) => {
        const key = event.currentTarget.value
        onChoose(key, values.get(key) ?? {})
      }}
    >
      <option value="">{words.blank}</option>
      {presets.length > 0 && (
        <optgroup label={words.presets}>
          {presets.map(({ id, title }) => (
            <option key={id} value={`preset:${id}`}>
              {title}
            </option>
          ))}
        </optgroup>
      )}
      {last.length > 0 && (
        <optgroup label={words.earlier}>
          {last.map(({ at }, index) => (
            <option key={at} value={`last:${index}`}>
              {index === 0 ? words.last : momentWords(at)}
            </option>
          ))}
        </optgroup>
      )}
    </select>
  )
}

function Actions({
  preset,
  value,
  isFull,
  onName,
  onRemoved,
}: Pick<PresetBarProps, 'value'> & {
  readonly preset: NamedPreset | null
  readonly isFull: boolean
  readonly onName: (naming: Naming) => void
  readonly onRemoved: () => void
}) {
  const designer = useDesigner()
  const { edit } = designer.document.getState()
  const isChanged = preset !== null && canonicalJson(preset.input) !== canonicalJson(value)
  return (
    <>
      {preset !== null && isChanged && (
        <Button
          isSmall
          kind="quiet"
          testId="preset-update"
          title={fill(words.updateHint, { title: preset.title })}
          onClick={() => edit(keepPreset(preset.id, { title: preset.title, input: value }))}
        >
          {words.update}
        </Button>
      )}
      <IconButton
        icon={Save}
        label={isFull ? words.full : words.keep}
        disabled={isFull}
        onClick={() => onName({ kind: 'new' })}
      />
      {preset !== null && (
        <>
          <IconButton icon={Pencil} label={words.rename} onClick={() => onName({ kind: 'rename', preset })} />
          <IconButton
            icon={Trash2}
            label={words.remove}
            onClick={() => {
              edit(removePreset(preset.id))
              onRemoved()
              const message = fill(words.removed, { title: preset.title })
              const back = keepPreset(preset.id, { title: preset.title, input: preset.input })
              const action = { label: words.undo, run: () => edit(back) }
              designer.view.getState().toast({ tone: 'good', message, hint: null, action })
            }}
          />
        </>
      )}
    </>
  )
}

function PresetName(props: {
  readonly initial: string
  readonly taken: readonly NamedPreset[]
  readonly onDone: (title: string) => void
  readonly onCancel: () => void
}) {
  const [title, setTitle] = useState(props.initial)
  const [isTold, setTold] = useState(false)
  const problem = problemOf(title.trim(), props.taken)
  const done = (): void => {
    setTold(true)
    if (problem === null) props.onDone(title.trim())
  }
  return (
    <div className={styles['naming']}>
      <input
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it was asked for just now
        autoFocus
        className={controls['field']}
        aria-label={words.name}
        aria-invalid={isTold && problem !== null}
        placeholder={words.name}
        data-testid="preset-name"
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'Escape') return
          // Neither is for the dialog around it.
          event.preventDefault()
          event.stopPropagation()
          if (event.key === 'Enter') done()
          else props.onCancel()
        }}
      />
      <Button isSmall kind="primary" testId="preset-save" onClick={done}>
        {words.save}
      </Button>
      <Button isSmall onClick={props.onCancel}>
        {words.cancel}
      </Button>
      <p role={isTold && problem !== null ? 'alert' : undefined}>
        {isTold && problem !== null ? problem : words.keepHint}
      </p>
    </div>
  )
}

function problemOf(title: string, taken: readonly NamedPreset[]): string | null {
  if (title === '') return words.empty
  if (title.length > presetTitleLengthMax) return words.long
  return taken.some((one) => one.title === title) ? words.taken : null
}
