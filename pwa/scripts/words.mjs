// Prints the texts of the app and of its service worker, for docs/words.md: a line is the folder, a tab and the text.
// Values inside a text are {name}, or {…} if they are more than a name.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** Attributes and properties whose strings are texts even if they are one word. */
const textNames = new Set(
  `title label description placeholder alt text hint message heading subtitle body summary caption name question answer
  empty action confirm confirmLabel cancelLabel actionLabel note aria-label aria-description aria-roledescription
  aria-valuetext`.split(/\s+/),
);
/** Attributes and properties whose strings are no texts. */
const codeNames = new Set(
  `className class id htmlFor href to src srcSet sizes d points viewBox transform style type role key rel target method
  accept autoComplete inputMode enterKeyHint pattern media transition transitionProperty gridTemplateColumns
  gridTemplateRows animation font backgroundImage boxShadow willChange allow sandbox headers aria-keyshortcuts
  aria-describedby aria-labelledby aria-controls strokeDasharray`.split(/\s+/),
);
/** Functions whose arguments are no texts: class names, faults for the console, selectors, storage. */
const codeCalls =
  /^(cn|clsx|console\.\w+|Error|TypeError|RangeError|DOMException|RegExp|URL|matchMedia|stores|\w+\.(querySelector(All)?|matches|closest|stores|animate|setProperty|addEventListener|where|matchMedia|mark|measure))$/;
/** Elements that stand inside a sentence, and components without children that draw a value in it. */
const inline = /^(a|b|bdi|code|em|i|kbd|mark|small|span|strong|time|\w*Link)$/;
const value = /^\w*(Time|Date|Day|Name|Count|Link)$/;

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', rarr: '→', larr: '←' };
const clean = (text) =>
  text
    .replace(/&(\w+);/gu, (entity, name) => entities[name] ?? entity)
    .replace(/\s+/gu, ' ')
    .replace(/ (?=[.,;:!?](\s|$))/gu, '')
    .replace(/\{…\}(\s*\{…\})+/gu, '{…}')
    .trim();
const isSentence = (text) => /\p{L}{2}/u.test(text) && /\S\s+\S/u.test(text);
/** Marks of markup, functions, sizes, headers and the like. */
const marks = [
  /[{}<>]\s|;$|=>|\w=["']|; path=\//u,
  /^(["<[]|--|\((?!\w+( \w+)*\)$)|noindex)/u,
  /\d(px|vw|ms|rem)\b|\w\(\d|url\(|var\(|codecs/u,
];
/** Whether a string is class names, a selector, a font, a CSS value, keys of a database or other code with spaces. */
const isCode = (text) => {
  const plain = text.replace(/\{[\w.…]+\}/gu, '1');
  if (marks.some((mark) => mark.test(plain))) return true;
  if (/^(input|textarea)\b.*[,[]/u.test(plain)) return true;
  if (/^\S+(, \S+)+$/u.test(plain) && /[a-z][A-Z]|\]|\bid\b/u.test(plain)) return true;
  const classes = text
    .split(/\s+/u)
    .filter((word) => /^[!@-]?[a-z][a-z\d-]*[-:[/][^\s“”’]*[^\s.,!?“”’]$/u.test(word));
  return text === text.toLowerCase() && classes.length * 2 >= text.split(/\s+/u).length;
};

/** The value of an expression inside a text. */
function valueName(node) {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) return templateText(node);
  if (ts.isIdentifier(node)) return `{${node.text}}`;
  if (ts.isPropertyAccessExpression(node)) return `{${node.name.text}}`;
  if (ts.isNonNullExpression(node) || ts.isParenthesizedExpression(node)) return valueName(node.expression);
  return '{…}';
}

const templateText = (node) =>
  node.head.text + node.templateSpans.map((span) => valueName(span.expression) + span.literal.text).join('');

const tagName = (node) => (node.openingElement ?? node).tagName?.getText() ?? '';

/** The text of JSX children as a sentence, with the elements inside it; visited holds those that are a part of it. */
function childrenText(children, visited) {
  return children
    .map((child) => {
      if (ts.isJsxText(child)) return child.text;
      if (ts.isJsxExpression(child)) {
        if (!child.expression) return '';
        if (ts.isStringLiteralLike(child.expression) || ts.isTemplateExpression(child.expression))
          visited.add(child.expression);
        return valueName(child.expression);
      }
      if (ts.isJsxElement(child) && inline.test(tagName(child))) {
        visited.add(child);
        return childrenText(child.children, visited);
      }
      return ts.isJsxSelfClosingElement(child) && value.test(tagName(child)) ? '{…}' : ' ';
    })
    .join('');
}

/** The name of the attribute, property or parameter of which the node is a value; through conditions and parentheses. */
function nameOf(node) {
  const { parent } = node;
  if (ts.isJsxAttribute(parent)) return parent.name.getText();
  if (ts.isPropertyAssignment(parent) && parent.initializer === node)
    return parent.name.getText().replace(/['"]/gu, '');
  if (ts.isVariableDeclaration(parent) || ts.isBindingElement(parent)) return parent.name.getText();
  if (
    ts.isJsxExpression(parent) ||
    ts.isParenthesizedExpression(parent) ||
    ts.isConditionalExpression(parent) ||
    ts.isBinaryExpression(parent) ||
    ts.isTemplateSpan(parent) ||
    ts.isTemplateExpression(parent) ||
    ts.isAsExpression(parent) ||
    ts.isArrayLiteralExpression(parent)
  )
    return nameOf(parent);
  return '';
}

const isCodeName = (name) =>
  codeNames.has(name) || /class(es|name)?$|style$|selector$|query$|sql$|css$|transition$/iu.test(name);

/** Whether a string is compared, imported, a type or an argument of a function without texts. */
function isCodePlace(node) {
  const { parent } = node;
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isLiteralTypeNode(parent))
    return true;
  if (ts.isTaggedTemplateExpression(parent) || ts.isCaseClause(parent)) return true;
  if (ts.isPropertyAssignment(parent) && parent.name === node) return true;
  for (let at = parent, child = node; at; child = at, at = at.parent) {
    if (ts.isCallExpression(at) || ts.isNewExpression(at)) {
      if (at.expression === child) continue;
      return codeCalls.test(at.expression.getText());
    }
    if (ts.isJsxAttribute(at)) return isCodeName(at.name.getText());
    if (ts.isFunctionLike(at) || ts.isJsxElement(at)) return false;
  }
  return false;
}

/** Calls add for each text of a file. */
function eachText(file, add) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const visited = new Set();
  const visit = (node) => {
    if (ts.isJsxElement(node) || ts.isJsxFragment(node)) {
      const hasText = node.children.some((child) => ts.isJsxText(child) && /\S/u.test(child.text));
      if (hasText && !visited.has(node) && !['style', 'code'].includes(tagName(node))) {
        const text = clean(childrenText(node.children, visited));
        if (/\p{L}{2}/u.test(text.replace(/\{[\w.…]*\}/gu, ''))) add(text);
      }
    } else if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      const name = nameOf(node);
      if (!visited.has(node) && !isCodeName(name) && !isCodePlace(node) && !ts.isTemplateSpan(node.parent)) {
        const text = clean(ts.isTemplateExpression(node) ? templateText(node) : node.text);
        const words = text.replace(/\{[\w.…]*\}/gu, '0');
        const single = textNames.has(name) && /^\p{Lu}[\p{L}’-]+[.!?…]?$/u.test(text);
        if ((isSentence(words) && !isCode(text)) || single) add(text);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}

const lines = new Set();
for (const file of globSync(['src/**/*.{ts,tsx}', 'sw/*.ts', '*.config.ts'])) {
  if (/\.test\.tsx?$|\.gen\.ts$|testdata|^(playwright|vite|chunks|emoji)\b/u.test(file)) continue;
  eachText(file, (text) => lines.add(`pwa/${path.dirname(file)}\t${text}`));
}
console.log([...lines].sort().join('\n'));
