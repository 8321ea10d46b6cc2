import { X } from 'lucide-react';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { __unstable__loadDesignSystem } from 'tailwindcss';
import tailwind from 'tailwindcss/index.css?raw';
import ts from 'typescript';
import { expect, it } from 'vitest';
import app from './app.css?raw';
import {
  AutoGrowTextarea,
  Avatar,
  Badge,
  Button,
  ButtonLink,
  Checkbox,
  Chip,
  CountBadge,
  IconButton,
  Photo,
  ScoreBadge,
  Select,
  Skeleton,
  Switch,
  TextArea,
  TextField,
} from './index.ts';

type Props = Record<string, string | boolean>;

/** Renders the checked components, each as it is used. */
const renderers: Record<string, (props: Props) => ReactElement> = {
  AutoGrowTextarea: (props) => <AutoGrowTextarea {...props} />,
  Avatar: (props) => <Avatar {...props} user={{ firstName: 'Bea' }} />,
  Badge: (props) => <Badge {...props}>Verified</Badge>,
  Button: (props) => <Button {...props}>Save</Button>,
  ButtonLink: (props) => (
    <MemoryRouter>
      <ButtonLink {...props} to="/">
        Home
      </ButtonLink>
    </MemoryRouter>
  ),
  Checkbox: (props) => <Checkbox {...props} label="I agree" />,
  Chip: (props) => <Chip {...props}>Healing</Chip>,
  CountBadge: (props) => <CountBadge {...props} count={3} />,
  IconButton: (props) => <IconButton {...props} icon={X} label="Close" />,
  Photo: (props) => <Photo {...props} alt="" />,
  ScoreBadge: (props) => <ScoreBadge {...props} score={82} />,
  Select: (props) => <Select {...props} label="State" />,
  Skeleton: (props) => <Skeleton {...props} />,
  Switch: (props) => <Switch {...props} checked={false} label="Incognito" onChange={() => undefined} />,
  TextArea: (props) => <TextArea {...props} label="Bio" />,
  TextField: (props) => <TextField {...props} label="City" />,
};

const sources = import.meta.glob<string>(['../**/*.tsx', '!**/*.test.tsx'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

type Use = { position: string; name: string; props: Props; classNames: string[] };

/** Finds the uses of those components with a class: their literal props, and the literals that may be classes. */
function usesIn([file, text]: [string, string]): Use[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const uses: Use[] = [];
  const visit = (node: ts.Node) => {
    if (
      (ts.isJsxSelfClosingElement(node) || ts.isJsxOpeningElement(node)) &&
      node.tagName.getText() in renderers
    ) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      const use: Use = {
        position: `${file}:${line + 1}`,
        name: node.tagName.getText(),
        props: {},
        classNames: [],
      };
      for (const attribute of node.attributes.properties) {
        if (!ts.isJsxAttribute(attribute)) continue;
        const name = attribute.name.getText();
        const value = attribute.initializer;
        if (name === 'className' && value) use.classNames = literalsIn(value);
        else if (['variant', 'size', 'tone', 'ratio', 'block', 'onClick'].includes(name))
          use.props[name] = value && ts.isStringLiteral(value) ? value.text : name !== 'onClick';
      }
      if (use.classNames.length > 0) uses.push(use);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return uses;
}

function literalsIn(node: ts.Node): string[] {
  if (ts.isStringLiteralLike(node)) return node.text.split(/\s+/).filter(Boolean);
  const found: string[] = [];
  ts.forEachChild(node, (child) => void found.push(...literalsIn(child)));
  return found;
}

/** Loads the stylesheet's own rules, with no import other than Tailwind. */
const load = () =>
  __unstable__loadDesignSystem(app, {
    base: '/',
    loadStylesheet: async (id) => ({ path: id, base: '/', content: id === 'tailwindcss' ? tailwind : '' }),
  });

it('a class given to a component is never overridden by the component’s own', {
  timeout: 120_000,
}, async () => {
  const system = await load();
  /** Returns the conditions and properties that a class sets, such as `md: gap`. */
  const sets = (name: string): string[] => {
    const variants = name
      .split(/:(?![^[]*\])/)
      .slice(0, -1)
      .join(':');
    const [css] = system.candidatesToCss([name]);
    const rules = (css ?? '').replaceAll(/@property[^}]*}/g, '');
    const properties = [...rules.matchAll(/^\s+(-?[a-z][a-z-]*):/gm)].map((match) => match[1]);
    return properties.map((property) => `${variants} ${property}`);
  };
  const comesAfter = (one: string, other: string) => {
    const [[, order], [, before]] = system.getClassOrder([one, other]) as [
      [string, bigint],
      [string, bigint],
    ];
    return order > before;
  };
  const overridden: string[] = [];
  const uses = Object.entries(sources).flatMap(usesIn);
  expect(uses.length).toBeGreaterThan(80);
  for (const { position, name, props, classNames } of uses) {
    for (const override of classNames) {
      const markup = renderToStaticMarkup(renderers[name]?.({ ...props, className: override }));
      const classLists = [...markup.matchAll(/class="([^"]*)"/g)].map((match) => match[1]?.split(' ') ?? []);
      const own = classLists.find((classes) => classes.includes(override)) ?? [];
      const expected = sets(override);
      for (const other of own)
        if (
          other !== override &&
          comesAfter(other, override) &&
          sets(other).some((set) => expected.includes(set))
        )
          overridden.push(`${position} ${override} / ${other}`);
    }
  }
  expect(overridden).toEqual([]);
});
