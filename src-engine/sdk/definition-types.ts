/**
 * The types of workflows in code, derived from the catalogue of kinds: which parameters a kind takes, which nodes
 * there are to lead to. Only types; at run time a definition is plain data.
 */

import type { z } from 'zod'
import type { JsonObject, JsonValue } from '../model/json.ts'
import type {
  Compensation,
  Frame,
  WorkflowDocument,
  WorkflowNode,
  WorkflowTrigger,
} from '../model/workflow.ts'
import type { TaskKind, taskSpecs } from '../tasks/specs.ts'
import type { triggerSpecs } from '../triggers/specs.ts'

export type { TaskKind } from '../tasks/specs.ts'

/** A text with an expression in `{{ }}`: it may stand for a value of any type. */
export type Expression = `${string}{{${string}}}${string}`

/** A parameter as people write it: its value, or an expression that gives one. */
export type WithExpressions<Value> = unknown extends Value
  ? JsonValue
  : Value extends string
    ? string extends Value
      ? string
      : Value | Expression
    : Value extends readonly (infer Item)[]
      ? readonly WithExpressions<Item>[] | Expression
      : Value extends object
        ? { readonly [Key in keyof Value]: WithExpressions<Value[Key]> } | Expression
        : Value extends undefined
          ? Value
          : Value | Expression

/** Fields by name, each as people write it. */
type WithExpressionFields<Fields> = { readonly [Key in keyof Fields]: WithExpressions<Fields[Key]> }

/** Required only where a kind can't do without. A kind without parameters has no names for any. */
type ParametersField<Parameters> = string extends keyof Parameters
  ? { readonly parameters?: Parameters }
  : Partial<Parameters> extends Parameters
    ? { readonly parameters?: Parameters }
    : { readonly parameters: Parameters }

/** The parameters of a task kind. */
export type TaskParameters<Kind extends TaskKind> = WithExpressionFields<
  z.input<(typeof taskSpecs)[Kind]['parameters']>
>

/** A trigger kind of the catalogue. */
export type TriggerKind = keyof typeof triggerSpecs

/** The parameters of a trigger kind. */
export type TriggerParameters<Kind extends TriggerKind> = WithExpressionFields<
  z.input<(typeof triggerSpecs)[Kind]['parameters']>
>

/** What every node may say, whatever its kind. */
type NodeSettings<Id extends string> = Omit<
  WorkflowNode,
  'kind' | 'parameters' | 'parent' | 'compensation'
> & {
  /** The map or loop node whose body this node belongs to. */
  readonly parent?: Id
  readonly compensation?: Omit<Compensation, 'node'> & {
    /** A node that nothing leads to or from: it runs only to undo. */
    readonly node?: Id
  }
}

/** A node of a certain kind; `Id` are the ids of the workflow's nodes. */
export type NodeDefinitionOf<Kind extends TaskKind, Id extends string = string> = NodeSettings<Id> & {
  readonly kind: Kind
} & ParametersField<TaskParameters<Kind>>

/** A node of any kind of the catalogue. */
export type NodeDefinition<Id extends string = string> = {
  [Kind in TaskKind]: NodeDefinitionOf<Kind, Id>
}[TaskKind]

/** A trigger of any kind of the catalogue. */
export type TriggerDefinition = {
  [Kind in TriggerKind]: Omit<WorkflowTrigger, 'kind' | 'parameters'> & {
    readonly kind: Kind
  } & ParametersField<TriggerParameters<Kind>>
}[TriggerKind]

/** `fetch`, or `check:true` for a port other than the usual one (`out` of the first, `in` of the second). */
export type EdgeEnd<Id extends string = string> = Id | `${Id}:${string}`

/** From and to, in the order of reading, and what else there is to say. */
export type EdgeDefinition<Id extends string = string> =
  | readonly [from: EdgeEnd<Id>, to: EdgeEnd<Id>]
  | readonly [from: EdgeEnd<Id>, to: EdgeEnd<Id>, more: { readonly label?: string }]

/** A group of nodes that is undone together. */
export interface SagaScopeDefinition<Id extends string = string> {
  readonly title?: string
  readonly nodes: readonly Id[]
  /** Default `reverse`. */
  readonly order?: 'reverse' | 'parallel'
  /** When what undoes one of them has failed for good. Default `ask`. */
  readonly onFailure?: 'ask' | 'retry' | 'stop'
}

/** A workflow in code; `Id` are the ids of its nodes. */
export interface WorkflowDefinition<Id extends string = string> {
  readonly id: string
  /** Default: the id. */
  readonly title?: string
  readonly description?: string
  readonly $schema?: string
  /** JSON Schema of the input. */
  readonly input?: JsonObject
  readonly variables?: JsonObject
  readonly settings?: NonNullable<WorkflowDocument['settings']>
  readonly capabilities?: NonNullable<WorkflowDocument['capabilities']>
  readonly triggers?: Readonly<Record<string, TriggerDefinition>>
  readonly nodes: { readonly [Key in Id]: NodeDefinition<NoInfer<Id>> }
  /** By id, or as a list: then they are named by their order. */
  readonly edges?:
    | readonly EdgeDefinition<NoInfer<Id>>[]
    | Readonly<Record<string, EdgeDefinition<NoInfer<Id>>>>
  readonly sagaScopes?: Readonly<Record<string, SagaScopeDefinition<NoInfer<Id>>>>
  readonly mockSets?: NonNullable<WorkflowDocument['mockSets']>
  readonly presets?: NonNullable<WorkflowDocument['presets']>
  readonly notes?: NonNullable<WorkflowDocument['notes']>
  readonly frames?: Readonly<Record<string, Omit<Frame, 'nodes'> & { readonly nodes: readonly string[] }>>
  readonly layout?: NonNullable<WorkflowDocument['layout']>
}
