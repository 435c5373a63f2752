// SPDX-License-Identifier: MIT

// Runs cmark-gfm, with the argument "autolink" with that extension. ../README.md has the requests and the answers.
#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct document {
	char *text;
	size_t size;
};

static struct document *documents;
static size_t count;
static int autolink;

// The processor time of the process in seconds.
static double now(void) {
	return (double)clock() / CLOCKS_PER_SEC;
}

static char *render(struct document d) {
	cmark_parser *parser = cmark_parser_new(CMARK_OPT_DEFAULT);
	if (autolink)
		cmark_parser_attach_syntax_extension(parser, cmark_find_syntax_extension("autolink"));
	cmark_parser_feed(parser, d.text, d.size);
	cmark_node *root = cmark_parser_finish(parser);
	char *html = cmark_render_html(root, CMARK_OPT_DEFAULT, cmark_parser_get_syntax_extensions(parser));
	cmark_node_free(root);
	cmark_parser_free(parser);
	return html;
}

// Appends ".sizes" to a path.
static FILE *sizes(const char *path, const char *mode) {
	char name[4096];
	if (snprintf(name, sizeof name, "%s.sizes", path) >= (int)sizeof name)
		return NULL;
	return fopen(name, mode);
}

static const char *read_documents(const char *path) {
	FILE *f = fopen(path, "rb"), *s = sizes(path, "r");
	if (!f || !s)
		return "cannot be opened";
	for (size_t i = 0; i < count; i++)
		free(documents[i].text);
	count = 0;
	for (size_t size; fscanf(s, "%zu", &size) == 1; count++) {
		documents = realloc(documents, (count + 1) * sizeof *documents);
		if (!documents)
			abort();
		char *text = malloc(size + 1);
		if (!text)
			abort();
		if (fread(text, 1, size, f) != size)
			return "too short";
		text[size] = 0;
		documents[count] = (struct document){text, size};
	}
	fclose(f);
	fclose(s);
	return NULL;
}

static const char *write_outputs(const char *path) {
	FILE *f = fopen(path, "wb"), *s = sizes(path, "w");
	if (!f || !s)
		return "cannot be created";
	for (size_t i = 0; i < count; i++) {
		char *html = render(documents[i]);
		fputs(html, f);
		fprintf(s, "%zu\n", strlen(html));
		free(html);
	}
	int bad = ferror(f) | ferror(s);
	return fclose(f) | fclose(s) | bad ? "cannot be written" : NULL;
}

int main(int argc, char **argv) {
	autolink = argc > 1 && !strcmp(argv[1], "autolink");
	cmark_gfm_core_extensions_ensure_registered();
	printf("ready\t%s\n", cmark_version_string());
	fflush(stdout);
	char line[4096];
	while (fgets(line, sizeof line, stdin)) {
		line[strcspn(line, "\n")] = 0;
		char *word = strchr(line, '\t');
		const char *error = word ? NULL : "one word follows a request";
		if (word)
			*word++ = 0;
		if (error) {
		} else if (!strcmp(line, "read")) {
			error = read_documents(word);
			if (!error)
				printf("read\t%zu\n", count);
		} else if (!strcmp(line, "write")) {
			error = write_outputs(word);
			if (!error)
				printf("write\n");
		} else if (!strcmp(line, "time")) {
			double least = atof(word), start = now(), taken;
			size_t passes = 0;
			do {
				for (size_t i = 0; i < count; i++)
					free(render(documents[i]));
				passes++;
				taken = now() - start;
			} while (taken < least);
			printf("time\t%zu\t%f\n", passes, taken);
		} else {
			error = "unknown request";
		}
		if (error)
			printf("error\t%s: %s\n", word ? word : line, error);
		fflush(stdout);
	}
}
