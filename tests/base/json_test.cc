#include "base/json.h"

#include <simdjson.h>

#include <catch2/catch.hpp>
#include <cmath>

#include "base/text.h"

using namespace faultline;

namespace {

// A tree in one line, for tables: {a:1,b:[x]}.
std::string shown(const JsonValue& v) {
  std::string out;
  switch (v.type) {
    case JsonValue::Type::null:
      return "null";
    case JsonValue::Type::boolean:
      return v.boolean ? "true" : "false";
    case JsonValue::Type::integer:
      return std::to_string(v.integer);
    case JsonValue::Type::number:
      return "#" + v.string;
    case JsonValue::Type::string:
      return "'" + printable(v.string) + "'";
    case JsonValue::Type::array:
      for (const JsonValue& item : v.items) out += (out.empty() ? "" : ",") + shown(item);
      return "[" + out + "]";
    case JsonValue::Type::object:
      for (const auto& [key, member] : v.members)
        out += (out.empty() ? "" : ",") + printable(key) + ":" + shown(member);
      return "{" + out + "}";
  }
  return out;
}

std::string shown(const Result<JsonDocuments>& read) {
  if (!read) return "fail: " + read.error().what;
  std::string out;
  for (const JsonValue& document : read->documents) out += (out.empty() ? "" : " ") + shown(document);
  return out + (read->cut ? " CUT" : "");
}

struct Row {
  std::string text;
  std::string tree;
};

void check(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    INFO(printable(row.text));
    CHECK(shown(parse_json(row.text, Limits{})) == row.tree);
  }
}

// The same tree from simdjson, as a judge (of texts without fractions, whose digits it does not keep).
std::string judged(simdjson::dom::element e) {
  std::string out;
  switch (e.type()) {
    case simdjson::dom::element_type::ARRAY:
      for (simdjson::dom::element item : e.get_array()) out += (out.empty() ? "" : ",") + judged(item);
      return "[" + out + "]";
    case simdjson::dom::element_type::OBJECT:
      for (auto [key, member] : simdjson::dom::object(e))
        out += (out.empty() ? "" : ",") + printable(key) + ":" + judged(member);
      return "{" + out + "}";
    case simdjson::dom::element_type::STRING:
      return "'" + printable(e.get_string().value()) + "'";
    case simdjson::dom::element_type::INT64:
      return std::to_string(std::int64_t(e));
    case simdjson::dom::element_type::UINT64:
      return "#" + std::to_string(std::uint64_t(e));
    case simdjson::dom::element_type::DOUBLE:
      return "~";
    case simdjson::dom::element_type::BOOL:
      return bool(e) ? "true" : "false";
    case simdjson::dom::element_type::NULL_VALUE:
      return "null";
  }
  return out;
}

}  // namespace

TEST_CASE("characters that steer a terminal are written as escapes and read back as they were") {
  const std::string unseen = "c1\xc2\x9b rtl\xe2\x80\xae tag\xf3\xa0\x81\x81 seen\xe3\x81\x82";
  JsonWriter writer(JsonWriter::Style::compact);
  writer.value(unseen);
  CHECK(writer.text() == "\"c1\\u009b rtl\\u202e tag\\udb40\\udc41 seen\xe3\x81\x82\"");
  const auto back = parse_json("{\"s\":" + std::string(writer.text()) + "}", Limits{});
  REQUIRE(back);
  CHECK(shown(back) == "{s:'" + printable(unseen) + "'}");
}

TEST_CASE("JSON values are read with their types") {
  check({
      {R"({"a":1,"b":-2.5,"c":"x","d":true,"e":null,"f":[1,[2]],"g":{}})",
       "{a:1,b:#-2.5,c:'x',d:true,e:null,f:[1,[2]],g:{}}"},
      {"[]", "[]"},
      {" \r\n\t{ } ", "{}"},
      {R"(["\"\\\/\b\f\n\r\t\u0041\u00e9\u20ac\ud83d\udd25"])",
       "['\"\\/\\x08\\x0c\\n\\r\\tA\xc3\xa9\xe2\x82\xac\xf0\x9f\x94\xa5']"},
      {"[9223372036854775807,9223372036854775808,-9223372036854775808]",
       "[9223372036854775807,#9223372036854775808,-9223372036854775808]"},
      {"[1e3,1E-2,0,-0,0.5]", "[#1e3,#1E-2,0,0,#0.5]"},
      {"12", "12"},
      {"\"text\"", "'text'"},
      {R"({"a":1,"a":2})", "{a:1,a:2}"},
      {R"({"details: ":{"x":"y"}})", "{details: :{x:'y'}}"},
  });
}

TEST_CASE("what bundles do to JSON is forgiven") {
  check({
      {"\xef\xbb\xbf{\"a\":1}", "{a:1}"},
      {R"([NaN,Infinity,-Infinity,nan])", "[#NaN,#Infinity,#-Infinity,#nan]"},
      {"[1,2,]", "[1,2]"},
      {"{\"a\":1,}", "{a:1}"},
      {"{'a': None, 'b': True, 'c': \"it's\", 'd': 'q\"'}", "{a:null,b:true,c:'it's',d:'q\"'}"},
      {"{'t': datetime.datetime(2026, 1, 1, tzinfo=tzlocal()), 'x': 1}",
       "{t:'datetime.datetime(2026, 1, 1, tzinfo=tzlocal())',x:1}"},
      {"{\"a\":\"bad \xff byte\"}", "{a:'bad \xef\xbf\xbd byte'}"},
      {R"({"a":"\ud800 lone","b":"\udc00","c":"\ud83dx"})",
       "{a:'\xef\xbf\xbd lone',b:'\xef\xbf\xbd',c:'\xef\xbf\xbdx'}"},
      {R"({"a":"\x1b[31m \u12"})", R"({a:'\x1b[31m \u12'})"},
      {"{\"a\":\"tab\there\"}", "{a:'tab\\there'}"},
      {"[1e999]", "[#1e999]"},
  });
  const auto read = parse_json("[NaN,1e999,-1e999,1e-999]", Limits{});
  REQUIRE(read);
  CHECK(std::isnan(read->documents[0].items[0].number));
  CHECK(read->documents[0].items[1].number == HUGE_VAL);
  CHECK(read->documents[0].items[2].number == -HUGE_VAL);
  CHECK(read->documents[0].items[3].number == 0);
}

TEST_CASE("documents are found among noise and one after another") {
  check({
      {"{\"a\":1}{\"b\":2}\n{\"c\":3}", "{a:1} {b:2} {c:3}"},
      {"{\"a\":1},\n{\"b\":2},", "{a:1} {b:2}"},
      {"\x1e{\"a\":1}\n\x1e{\"b\":2}\n", "{a:1} {b:2}"},
      {"Found credentials in shared credentials file\n[WARN] old client\n{\"a\":1}\n(END)\n", "{a:1}"},
      {"[0] tag: text\n[12.5] more\n{skipping}\n[\"x\"]", "['x']"},
      {"[2026-01-01 00:00:00] start\n{\"a\":1}", "{a:1}"},
      {"==== START logs\n{\"a\":1}\ntext\n{\"b\":2}", "{a:1} {b:2}"},
      {"\"one\"\n\"two\"\n", "'one' 'two'"},
      {"[1,2]\n[3]\n", "[1,2] [3]"},
  });
}

TEST_CASE("a cut or broken document keeps what was complete, and reading goes on after it") {
  check({
      {R"({"a":1,"b":{"c":2,"d)", "{a:1,b:{c:2}} CUT"},
      {R"({"a":1,"b":"part)", "{a:1} CUT"},
      {R"({"a":1,"b":12)", "{a:1} CUT"},
      {R"({"a":1,"b":tr)", "{a:1} CUT"},
      {R"([{"x":1},{"x":2},{"x")", "[{x:1},{x:2}] CUT"},
      {R"({"a":["\u00)", "fail: the text ends inside a JSON value"},
      {"{\"a\":1,\"b\":\"part\n{\"c\":3}\n", "{a:1} {c:3} CUT"},
      {"{\"a\":1,\n \"b\" 2,\n {\"inner\":1}\n}\n{\"c\":3}", "{a:1} {c:3} CUT"},
      {"{", "fail: the text ends inside a JSON value"},
      {"{\"a\":", "fail: the text ends inside a JSON value"},
      {"", "fail: no JSON value in the text"},
      {"plain text", "fail: no JSON value in the text"},
      {"{\"a\" 1}", "fail: a JSON key is not followed by a colon"},
  });
  const auto read = parse_json("{\n \"a\": 1,\n \"b\": oops\n}", Limits{});
  REQUIRE(read);
  CHECK(read->cut);
  CHECK(read->problem.where == "line 3");
  CHECK(read->problem.rung == Rung::note);
  const auto none = parse_json("{\"a\"", Limits{});
  REQUIRE_FALSE(none);
  CHECK(none.error().rung == Rung::skip);
}

TEST_CASE("depth, size and number of values are bounded") {
  Limits limits;
  limits.max_nesting = 4;
  CHECK(shown(parse_json("[[[[1]]]]", limits)) == "[[[[1]]]]");
  CHECK(shown(parse_json("[0,[[[[1]]]]]", limits)) == "[0] CUT");
  CHECK_FALSE(parse_json(std::string(1'000'000, '['), limits));
  limits.max_nesting = UINT32_MAX;
  CHECK_FALSE(parse_json(std::string(1'000'000, '['), limits));
  std::string rows;
  for (int i = 0; i < 200'000; ++i) rows += "[\n";
  CHECK_FALSE(parse_json(rows, limits));
  limits = Limits{};
  limits.max_document = 10;
  CHECK(shown(parse_json("[1,2,3,4,5,6,7]", limits)) == "[1,2,3,4] CUT");
  std::string many = "[0";
  for (int i = 0; i < 5'000'000; ++i) many += ",0";
  const auto read = parse_json(many + "]", Limits{});
  REQUIRE(read);
  CHECK(read->cut);
  CHECK(read->documents[0].items.size() < 4'100'000);
}

TEST_CASE("every value knows where it stands") {
  const std::string text = "noise\n{\n  \"a\": [10, {\"k\": \"v\"}],\n  \"b\": null\n}\n[true]";
  const auto read = parse_json(text, Limits{});
  REQUIRE(read);
  REQUIRE(read->documents.size() == 2);
  const JsonValue& root = read->documents[0];
  const LineIndex lines(text);
  CHECK(root.offset == 6);
  CHECK(lines.line_of(root.find("a")->offset) == 3);
  CHECK(text.substr(root.find("a")->offset, 3) == "\"a\"");
  CHECK(text.substr(root.find("a")->items[0].offset, 2) == "10");
  CHECK(text.substr(root.find("a")->items[1].find("k")->offset, 3) == "\"k\"");
  CHECK(lines.line_of(root.find("b")->offset) == 4);
  CHECK(lines.line_of(read->documents[1].offset) == 6);
  CHECK(lines.start_of(3) == 8);
  CHECK(lines.line(3) == "  \"a\": [10, {\"k\": \"v\"}],");
  CHECK(lines.line(6) == "[true]");
  CHECK(lines.line(7).empty());
  CHECK(lines.line(0).empty());
  CHECK(LineIndex("a\r\n").line(1) == "a");
}

TEST_CASE("looking things up never fails") {
  const auto read = parse_json(R"({"s":{"p":"x","n":1,"p":"last"},"t":"top","i":5})", Limits{});
  REQUIRE(read);
  const JsonValue& root = read->documents[0];
  CHECK(root.text_at({"s", "p"}) == "last");
  CHECK(root.text("t") == "top");
  CHECK(root.text("i").empty());
  CHECK(root.at({"s", "n"})->integer == 1);
  CHECK(root.at({"s", "n", "deeper"}) == nullptr);
  CHECK(root.at({}) == &root);
  CHECK(root.find("none") == nullptr);
}

TEST_CASE("simdjson agrees on documents that it can read") {
  const std::string texts[] = {
      R"({"a":[1,2,{"b":"c\u00e9\n\ud83d\udd25"}],"d":true,"e":null,"f":{},"g":[]})",
      R"([9223372036854775807,18446744073709551615,0,-1,"",{"":""}])",
      "{\"k\": \"\xe2\x94\x80 text\",\r\n \"l\":[ [ ], [[1]] ] }",
      R"([{"logStreamName":"s/i-0abc","timestamp":1767225600123,"message":"{\"a\":\"b\\n\"}"}])",
  };
  for (const std::string& text : texts) {
    INFO(text);
    simdjson::dom::parser parser;
    const auto read = parse_json(text, Limits{});
    REQUIRE(read);
    CHECK_FALSE(read->cut);
    CHECK(shown(read->documents[0]) == judged(parser.parse(text)));
  }
  // Every cut and every changed byte of a document: what simdjson accepts, ours reads alike; nothing crashes.
  const std::string base = texts[0] + "";
  for (std::size_t i = 0; i < base.size(); ++i) {
    for (const char c : {'\0', '"', '{', '}', '[', ']', ',', ':', '\\', '1', 'x', '\n', '\xff'}) {
      std::string changed = base;
      changed[i] = c;
      simdjson::dom::parser parser;
      simdjson::dom::element element;
      const auto read = parse_json(changed, Limits{});
      if (parser.parse(changed).get(element) != simdjson::SUCCESS) continue;
      INFO(printable(changed));
      REQUIRE(read);
      CHECK_FALSE(read->cut);
      CHECK(shown(read->documents[0]) == judged(element));
    }
    (void)parse_json(base.substr(0, i), Limits{});
  }
}

TEST_CASE("JSON is written valid, compact or indented, and inert inside HTML") {
  JsonWriter compact(JsonWriter::Style::compact);
  compact.begin_object();
  compact.member("s", "q\" b\\ n\n t\t c\x01 <b>&amp;</b> \xe2\x80\xa8 \xff e\xc3\xa9 \xe2\x94\x80");
  compact.member("i", std::int64_t{-5}).member("u", std::uint64_t{18446744073709551615u}).member("n", 7);
  compact.member("d", 0.1).member("nan", std::nan("")).member("t", true);
  compact.key("a")
      .begin_array()
      .value(1)
      .begin_object()
      .end_object()
      .begin_array()
      .end_array()
      .null()
      .end_array();
  compact.end_object();
  CHECK(compact.text() ==
        "{\"s\":\"q\\\" b\\\\ n\\n t\\t c\\u0001 \\u003cb\\u003e\\u0026amp;\\u003c/b\\u003e \\u2028 "
        "\xef\xbf\xbd "
        "e\xc3\xa9 "
        "\xe2\x94\x80\",\"i\":-5,\"u\":18446744073709551615,\"n\":7,\"d\":0.1,\"nan\":null,\"t\":true,"
        "\"a\":[1,{},[],null]}");
  CHECK(shown(parse_json(compact.text(), Limits{})) ==
        "{s:'q\" b\\ n\\n t\\t c\\x01 <b>&amp;</b> \\u{2028} \xef\xbf\xbd e\xc3\xa9 "
        "\xe2\x94\x80',i:-5,u:#18446744073709551615,n:7,"
        "d:#0.1,nan:null,t:true,a:[1,{},[],null]}");
  JsonWriter indented(JsonWriter::Style::indented);
  indented.begin_object()
      .key("a")
      .begin_array()
      .value(1)
      .value("x")
      .end_array()
      .key("b")
      .begin_object()
      .end_object()
      .end_object();
  CHECK(indented.take() == "{\n  \"a\": [\n    1,\n    \"x\"\n  ],\n  \"b\": {}\n}");
}

TEST_CASE("a written double reads back equal") {
  for (const double number : {0.0, 1.0, -1.5, 1e300, 5e-324, 0.1, 1.0 / 3, 123456789.125}) {
    JsonWriter writer(JsonWriter::Style::compact);
    writer.value(number);
    const auto read = parse_json(writer.text(), Limits{});
    REQUIRE(read);
    CHECK(read->documents[0].number == number);
  }
}
